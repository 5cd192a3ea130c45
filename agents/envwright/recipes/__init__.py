"""The methods: how sources become briefs and how a brief becomes a package."""
