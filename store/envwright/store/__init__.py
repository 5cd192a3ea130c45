"""The append-only log, leases, effect journal, artifacts and the store-backed bus."""
