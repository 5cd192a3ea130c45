"""The tree: the roots and proofs of RFC 6962, against a naive reading of its definitions."""

from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from envwright.store.sealing.tree import Frontier, consistency_path, inclusion_path
from envwright.store.sealing.verify import inclusion_root, is_consistent, node_hash

DATA = ["", "00", "10", "2021", "3031", "40414243", "5051525354555657",
        "606162636465666768696a6b6c6d6e6f"]  # fmt: skip
ROOTS = {
    1: "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    2: "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    3: "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    4: "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    8: "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
}
"""Roots of the reference implementation of Certificate Transparency, by number of leaves."""


def leaves(count: int) -> list[bytes]:
    return [sha256(b"\x00%d" % number).digest() for number in range(count)]


def naive_root(hashes: list[bytes]) -> bytes:
    if not hashes:
        return sha256(b"").digest()
    if len(hashes) == 1:
        return hashes[0]
    split = 1
    while split * 2 < len(hashes):
        split *= 2
    return node_hash(naive_root(hashes[:split]), naive_root(hashes[split:]))


def root_of(hashes: list[bytes]):
    return lambda start, end: naive_root(hashes[start:end])


@pytest.mark.parametrize("size", ROOTS)
def test_roots_are_those_of_the_reference_implementation(size):
    tree = Frontier()
    for text in DATA[:size]:
        tree.add(sha256(b"\x00" + bytes.fromhex(text)).digest())
    assert tree.root().hex() == ROOTS[size]


@given(st.integers(0, 70))
def test_a_growing_tree_has_the_root_of_the_definition(size):
    tree = Frontier()
    for leaf in leaves(size):
        tree.add(leaf)
    assert tree.root() == naive_root(leaves(size))
    assert Frontier(size, tree.peaks).root() == tree.root()
    assert [end - start for start, end in tree.spans()] == sorted(
        (1 << bit for bit in range(7) if size >> bit & 1), reverse=True
    )


def test_a_frontier_needs_a_peak_for_each_bit():
    with pytest.raises(ValueError, match="5 leaves have 2 peaks, not 1"):
        Frontier(5, leaves(1))


@given(st.integers(1, 70), st.data())
def test_every_leaf_has_a_path_to_the_root_and_no_other_leaf_has_it(size, data):
    index = data.draw(st.integers(0, size - 1))
    hashes = leaves(size)
    path = inclusion_path(index, size, root_of(hashes))
    assert len(path) <= (size - 1).bit_length()
    assert inclusion_root(hashes[index], index, size, path) == naive_root(hashes)
    assert inclusion_root(leaves(size + 1)[-1], index, size, path) != naive_root(hashes)
    assert inclusion_root(hashes[index], index, size, [*path, hashes[0]]) is None
    if path:
        assert inclusion_root(hashes[index], index, size, path[:-1]) is None
    assert inclusion_root(hashes[index], size, size, path) is None


@given(st.integers(1, 70), st.data())
def test_a_tree_is_consistent_with_its_past_and_with_no_other(second, data):
    first = data.draw(st.integers(1, second))
    hashes = leaves(second)
    old, new = naive_root(hashes[:first]), naive_root(hashes)
    path = consistency_path(first, second, root_of(hashes))
    assert is_consistent(first, old, second, new, path)
    other = naive_root([*leaves(second + 1)[1 : first + 1]])
    assert not is_consistent(first, other, second, new, path)
    if first < second:
        assert not is_consistent(first, old, second, naive_root(hashes[:-1] + [old]), path)
        assert not is_consistent(first, old, second, new, path[:-1])
    assert not is_consistent(first, old, second, new, [*path, old])
    assert not is_consistent(second + 1, old, second, new, path)
