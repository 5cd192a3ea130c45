"""Projections for tests: they count the gates of each package."""

from envwright.events.ports import ProjectionWrite


class Counts:
    """How many gates each package has had; a draft makes its row disappear."""

    name = "counts"
    types = frozenset({"gate.evaluated", "package.drafted"})

    def apply(self, envelope, rows):
        key = envelope.correlation_id
        if envelope.type == "package.drafted":
            return [ProjectionWrite(projection=self.name, key=key, value=None)]
        value = b"%d" % (int(rows.get(key) or b"0") + 1)
        return [ProjectionWrite(projection=self.name, key=key, value=value)]


class Choosy(Counts):
    """Counts, but cannot fold the package `bad`."""

    def apply(self, envelope, rows):
        if envelope.correlation_id == "bad":
            raise ValueError("no such package")
        return super().apply(envelope, rows)
