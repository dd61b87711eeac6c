"""The files of `deploy/` fit the product, though no engine runs them here."""

from __future__ import annotations

import re
import subprocess
from typing import Any

import pytest
import yaml
from django.core.management import get_commands

from tests.guards.documents import environment_variables, root_file
from tests.guards.sources import ROOT

pytestmark = pytest.mark.shape("embedded", reason="reads files only")

COMPOSE = "deploy/compose.yaml"
OURS = ("migrate", "web", "worker")
ELSEWHERE = {
    "FORWARDED_ALLOW_IPS",  # the server library's own
    "DIALOGUE_LLM_API_KEY",  # read where a provider is called
}


def services() -> dict[str, Any]:
    """Return the services of the compose file."""
    found: dict[str, Any] = yaml.safe_load(root_file(COMPOSE))["services"]
    return found


def test_the_services_depend_on_what_is_there() -> None:
    names = set(services())
    assert {"postgres", "redis", *OURS} == names
    for service in services().values():
        assert set(service.get("depends_on", ())) <= names


@pytest.mark.parametrize("name", OURS)
def test_variables_are_ours(name: str) -> None:
    known = {*environment_variables(), *ELSEWHERE}
    given = services()[name]["environment"]
    assert set(given) <= known
    assert {"DJANGO_SECRET_KEY", "DATABASE_URL", "REDIS_URL"} <= set(given)


def test_the_example_names_what_the_file_asks_for() -> None:
    asked = set(re.findall(r"\$\{(\w+)", root_file(COMPOSE)))
    lines = root_file("deploy/compose.env.example").splitlines()
    named = {
        match.group(1) for line in lines if (match := re.match(r"(?:# )?(\w+)=", line))
    }
    assert named <= asked
    required = set(re.findall(r"\$\{(\w+):\?", root_file(COMPOSE)))
    assert required <= named


def test_commands_exist() -> None:
    for name in ("migrate", "web"):
        assert services()[name]["command"][0] in get_commands()
    program, *arguments = services()["worker"]["entrypoint"]
    assert (program, arguments[:3]) == ("celery", ["-A", "config", "worker"])


def test_the_switch_is_off_unless_somebody_turns_it_on() -> None:
    for name in OURS:
        value = services()[name]["environment"]["DIALOGUE_INPROCESSTOOLS_WRITEENABLED"]
        assert value == "${DIALOGUE_INPROCESSTOOLS_WRITEENABLED:-false}"


def test_the_image_copies_what_is_there() -> None:
    text = root_file("deploy/Dockerfile")
    copied = re.findall(r"^COPY (?!--from)(\S+) ", text, re.MULTILINE)
    assert {name for name in copied if not (ROOT / name).exists()} == set()
    kept = re.findall(r"^!(\S+)$", root_file("deploy/Dockerfile.dockerignore"), re.M)
    assert set(copied) == set(kept)
    commands = re.findall(r"python manage\.py (\w+)", text)
    commands += re.findall(r'^CMD \["(\w+)"', text, re.MULTILINE)
    assert len(commands) >= 2
    assert set(commands) <= set(get_commands())


def test_filled_in_secrets_stay_out_of_version_control() -> None:
    asked = ["git", "check-ignore", "--quiet", "deploy/compose.env"]
    assert subprocess.run(asked, cwd=ROOT, check=False).returncode == 0
