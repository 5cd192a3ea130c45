"""What the long-running commands tell of themselves over HTTP: health, readiness, metrics."""
