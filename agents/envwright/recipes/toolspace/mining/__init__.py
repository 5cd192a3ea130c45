"""Mining: what a log shows of tools and rows, without a model and without domain knowledge."""
