"""Six agents, their graphs and the worker that drives them."""
