"""The command line: one command, `envwright`."""

from envwright.events.extras import require

require("console", "typer", "rich", "pydantic_settings")
