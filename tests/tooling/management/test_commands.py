"""The commands that people run by hand."""

from __future__ import annotations

import io
import re
import socket
import sys
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from pytest_django.fixtures import Settings

from tests.support.api import make_member
from tooling.models import Membership, Tenant, User

pytestmark = pytest.mark.django_db


def run(name: str, *arguments: str) -> str:
    out = io.StringIO()
    call_command(name, *arguments, stdout=out)
    return out.getvalue()


def test_first_run_prints_the_password_once() -> None:
    told = run("first_run")
    user = User.objects.get()
    found = re.search(r"password\s+(\S+)", told)
    assert found is not None
    assert user.check_password(found[1])
    again = run("first_run")
    assert user.email in again
    assert "set_password" in again
    assert found[1] not in again


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({}, "en"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({"LANG": "de_DE.UTF-8"}, "en"),
        ({"LANG": "fr_FR.UTF-8"}, "fr"),
        ({"LANG": "fr"}, "fr"),
        ({"LANG": "frr_DE"}, "en"),
        ({"LANG": "en_US.UTF-8", "LC_MESSAGES": "fr_CA@euro"}, "fr"),
        ({"LANG": "fr_FR.UTF-8", "LC_ALL": "en_GB.UTF-8"}, "en"),
        ({"LANG": "fr_FR.UTF-8", "LC_ALL": ""}, "fr"),
    ],
)
def test_first_run_speaks_the_language_of_the_machine(
    monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], language: str
) -> None:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    run("first_run")
    name = {"en": "My team", "fr": "Mon équipe"}[language]
    assert Tenant.objects.get().name == name


def test_first_run_takes_the_language_of_the_settings(
    monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    settings.LANGUAGE_CODE = "fr"
    run("first_run")
    assert Tenant.objects.get().name == "Mon équipe"


def test_set_password_makes_one_or_reads_it(monkeypatch: pytest.MonkeyPatch) -> None:
    user = make_member("acme", "member").user
    told = run("set_password", user.email)
    user.refresh_from_db()
    assert user.check_password(told.split()[-1])
    monkeypatch.setattr(sys, "stdin", io.StringIO("plum orchard gate 7\n"))
    told = run("set_password", user.email, "--stdin")
    user.refresh_from_db()
    assert user.check_password("plum orchard gate 7")
    assert "plum" not in told


@pytest.mark.parametrize("email", ["nobody@acme.test", "", "a\x00b"])
def test_set_password_says_that_nobody_is_there(email: str) -> None:
    with pytest.raises(CommandError):
        run("set_password", email)


def test_add_member_prints_a_link_for_whoever_is_new() -> None:
    make_member("acme", "admin")
    told = run(
        "add_member", "new@acme.test", "--tenant", "acme", "--role", "operator",
        "--base-url", "https://dialogue.test/",
    )  # fmt: skip
    assert "https://dialogue.test/accounts/password/reset/key/" in told
    assert Membership.objects.get(user__email="new@acme.test").role == "operator"
    with pytest.raises(CommandError, match="already"):
        run("add_member", "new@acme.test", "--tenant", "acme")
    with pytest.raises(CommandError):
        run("add_member", "x@acme.test", "--tenant", "never-was")


def test_add_team_makes_a_team_with_its_admin() -> None:
    told = run("add_team", "globex", "--name", "Globex", "--admin", "a@globex.test")
    assert "/t/globex/" in told
    assert "/accounts/password/reset/key/" in told
    with pytest.raises(CommandError, match="address"):
        run("add_team", "globex", "--name", "Globex", "--admin", "b@globex.test")


def test_doctor_names_faults_and_what_to_do(settings: Settings, tmp_path: Path) -> None:
    settings.STATIC_ROOT = tmp_path
    out = io.StringIO()
    with pytest.raises(CommandError):
        call_command("doctor", stdout=out)
    assert "FAULT  static files: missing: run manage.py collectstatic." in (
        out.getvalue()
    )
    (tmp_path / "staticfiles.json").write_text("{}")
    told = run("doctor")
    assert "FAULT" not in told
    for name in ("database", "migrations", "model", "redis", "write switch"):
        assert f"{name}:" in told


@pytest.mark.shape("embedded", reason="names a Redis that is not there itself")
def test_doctor_tells_a_dead_redis_without_its_password(
    settings: Settings, tmp_path: Path
) -> None:
    (tmp_path / "staticfiles.json").write_text("{}")
    settings.STATIC_ROOT = tmp_path
    settings.REDIS_URL = "redis://:hunter22@127.0.0.1:9/0"
    out = io.StringIO()
    with pytest.raises(CommandError):
        call_command("doctor", stdout=out)
    assert "FAULT  redis" in out.getvalue()
    assert "hunter22" not in out.getvalue()


@pytest.fixture
def collected(settings: Settings, tmp_path: Path) -> None:
    settings.STATIC_ROOT = tmp_path
    (tmp_path / "staticfiles.json").write_text("{}")


@pytest.mark.usefixtures("collected")
def test_serve_says_in_one_line_that_the_port_is_taken() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(CommandError) as refused:
            run("serve", "--port", str(port))
    text = str(refused.value)
    assert text.startswith(f"Port {port} is in use.")
    assert f"PORT={port + 1}" in text
    assert "\n" not in text


@pytest.mark.usefixtures("collected")
@pytest.mark.parametrize("port", ["eighty", "-1", "70000", ""])
def test_serve_refuses_what_is_no_port(port: str) -> None:
    with pytest.raises(CommandError, match="PORT is"):
        run("serve", f"--port={port}")


def test_serve_says_that_static_files_are_missing(
    settings: Settings, tmp_path: Path
) -> None:
    settings.STATIC_ROOT = tmp_path
    with pytest.raises(CommandError, match="collectstatic"):
        run("serve", "--port", "0")
