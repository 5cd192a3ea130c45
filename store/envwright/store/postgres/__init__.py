"""The PostgreSQL engine of the log."""

from envwright.events.extras import require

require("postgres", "psycopg")
