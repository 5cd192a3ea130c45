"""The command `doctor`: what this machine can do, and what would mend the rest."""

from dataclasses import asdict

from envwright.console.home import home_folder
from envwright.console.machine import findings
from envwright.console.options import HomeOption, JsonOption
from envwright.console.pages.doctor import doctor_page
from envwright.console.settings import load_settings
from envwright.console.store import store_url
from envwright.console.terminal import print_json, print_page


def doctor(home: HomeOption = None, as_json: JsonOption = False) -> None:
    """Find out what this machine can do, by doing it.

    Says what each thing is needed for and the command that mends what is missing. A run with
    symbolic policies on table worlds needs nothing but the first five lines. The exit code is 0
    whatever is missing.

    Examples:
      envwright doctor
      envwright doctor --json
    """
    settings = load_settings().model_copy(update={"store": store_url()})
    found = [asdict(finding) for finding in findings(settings, home_folder(home))]
    if as_json:
        print_json({"findings": found})
    else:
        print_page(*doctor_page({"findings": found}))
