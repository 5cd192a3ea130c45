"""Scopes: what calls can see, and the items of their lists as frames of their own."""

from envwright.recipes.toolspace.induction.scopes import open_scope
from support.samples import sample


def test_the_items_of_a_list_are_frames_of_their_own_that_see_what_is_around_them():
    calls = [sample(n, {"parts": [{"size": k} for k in range(n)]}, None, why="x") for n in range(3)]
    scope = open_scope(calls)
    (parts,) = scope.lists()
    inner = scope.within([parts.values])
    assert inner.owners == (1, 2, 2)
    assert [column.values for column in inner.columns((int,))] == [(0, 0, 1)]
    why = next(column for column in inner.columns((str,)) if column.name == "why")
    assert (why.values, why.varies) == (("x",) * 3, False)
