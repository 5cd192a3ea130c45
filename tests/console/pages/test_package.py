"""The page of a package."""

from support.command_line import Finished, envwright


def test_the_page_has_what_a_solver_sees_and_what_it_does_not(finished: Finished) -> None:
    page = envwright("show", finished.package, "--home", finished.home).stdout
    for heading in ("instruction", "facts", "criteria", "gates", "trials", "attempts", "lineage"):
        assert f"\n{heading}\n" in page
    assert "reference solution, hidden from solvers" in page
    assert "T-1002" in page and "find_customer" in page
    assert "tables/tickets/T-1002/status" in page and "eq closed" in page
    assert "unchanged but for 2" in page
    assert finished.report["packages"][0]["digest"] in page


def test_the_page_of_a_rejected_package_has_the_reason(finished: Finished) -> None:
    with finished.runtime() as runtime:
        rejected = next(runtime.log.read_all(types=("package.rejected",)))
    page = envwright("show", rejected.data["package"], "--home", finished.home).stdout
    assert "rejected" in page and "REFERENCE_FAILS" in page
    assert "\ntrials\n" not in page
