"""Pure operators on trajectories: masks, credit, pairs, rewriting, memory."""
