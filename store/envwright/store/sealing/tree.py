"""The Merkle tree over a log's leaves: roots in one pass, and proofs, never held in memory.

Trees, inclusion paths and consistency proofs are those of RFC 6962, 2.1.
"""

from collections.abc import Callable, Iterable, Iterator
from hashlib import sha256

from envwright.store.sealing.verify import node_hash

RangeRoot = Callable[[int, int], bytes]
"""Returns the root of the subtree over the leaves `start <= index < end`."""


class Frontier:
    """The roots of the complete subtrees of a growing tree, largest first: all it takes to grow.

    A tree of n leaves has one for each bit of n.
    """

    def __init__(self, size: int = 0, peaks: Iterable[bytes] = ()) -> None:
        """Go on from a tree of `size` leaves, whose complete subtrees have these roots.

        Raises:
            ValueError: there is not one for each bit of the size.
        """
        self.size = size
        self.peaks = list(peaks)
        if len(self.peaks) != size.bit_count():
            raise ValueError(f"{size} leaves have {size.bit_count()} peaks, not {len(self.peaks)}")

    def add(self, leaf: bytes) -> None:
        """Add a leaf at the end."""
        size, peaks = self.size, self.peaks
        while size & 1:
            leaf = node_hash(peaks.pop(), leaf)
            size >>= 1
        peaks.append(leaf)
        self.size += 1

    def root(self) -> bytes:
        """Return the root of the tree so far; that of no leaves is the hash of nothing."""
        if not self.peaks:
            return sha256(b"").digest()
        root = self.peaks[-1]
        for peak in reversed(self.peaks[:-1]):
            root = node_hash(peak, root)
        return root

    def spans(self) -> Iterator[tuple[int, int]]:
        """Yield which leaves each peak covers: `start <= index < end`."""
        start = 0
        for bit in reversed(range(self.size.bit_length())):
            if self.size >> bit & 1:
                yield start, start + (1 << bit)
                start += 1 << bit


def inclusion_path(index: int, size: int, root_of: RangeRoot) -> list[bytes]:
    """Return PATH(index, D[size]): the siblings from the leaf up to the root."""
    start, end = 0, size
    path: list[bytes] = []
    while end - start > 1:
        middle = start + _split(end - start)
        if index < middle:
            path.append(root_of(middle, end))
            end = middle
        else:
            path.append(root_of(start, middle))
            start = middle
    return path[::-1]


def consistency_path(first: int, second: int, root_of: RangeRoot) -> list[bytes]:
    """Return PROOF(first, D[second]): how the tree of `first` leaves grew into the larger one."""
    start, end = 0, second
    complete = True  # Whether the verifier knows the root of the part that is left.
    path: list[bytes] = []
    while first < end:
        middle = start + _split(end - start)
        if first <= middle:
            path.append(root_of(middle, end))
            end = middle
        else:
            path.append(root_of(start, middle))
            start, complete = middle, False
    if not complete:
        path.append(root_of(start, end))
    return path[::-1]


def _split(size: int) -> int:
    """Return the largest power of two below a size."""
    return 1 << (size - 1).bit_length() - 1
