"""A missing optional dependency says which `pip install` brings it."""

import sys

import pytest

from envwright.events.errors import EnvwrightError, MissingExtraError
from envwright.events.extras import require


def test_what_is_installed_passes_and_is_not_imported(monkeypatch):
    monkeypatch.delitem(sys.modules, "wave", raising=False)
    require("store", "json", "wave")
    assert "wave" not in sys.modules


def test_what_is_missing_is_named_with_its_remedy():
    with pytest.raises(MissingExtraError) as caught:
        require("store", "json", "no_such_module", "nor_this.one")
    assert str(caught.value) == (
        "no_such_module, nor_this.one not installed; it comes with: pip install 'envwright[store]'"
    )


def test_a_missing_extra_is_an_import_error_and_one_of_ours():
    assert issubclass(MissingExtraError, ImportError)
    assert issubclass(MissingExtraError, EnvwrightError)


def test_a_module_that_an_import_hook_blocks_counts_as_missing(monkeypatch):
    monkeypatch.setitem(sys.modules, "wave", None)
    with pytest.raises(MissingExtraError, match="wave"):
        require("store", "wave")
