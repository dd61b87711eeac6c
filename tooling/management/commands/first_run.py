"""Make the first team and its operator."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser
from django.utils import timezone

from tooling.services.first_run import create_first_team

_STATED_IN = ("LC_ALL", "LC_MESSAGES", "LANG")


def machine_language(environment: Mapping[str, str]) -> str:
    """Return the language that a machine speaks, if we do; else that of the settings.

    Of the locale's variables the first that says something counts.
    """
    stated = next((environment[n] for n in _STATED_IN if environment.get(n)), "")
    language = re.split("[_.@]", stated)[0].lower()
    return language if language in dict(settings.LANGUAGES) else settings.LANGUAGE_CODE


class Command(BaseCommand):
    """Harmless to run again: it changes nothing where there is anybody."""

    help = "Create a team and an operator with a generated password, if there is nobody"

    def add_arguments(self, parser: CommandParser) -> None:
        """Take how a lost password is replaced where this runs."""
        parser.add_argument("--reset-by", default="manage.py set_password {email}")

    def handle(self, *args: Any, **options: Any) -> None:
        """Create them, and print the password this once."""
        language = machine_language(os.environ)
        made = create_first_team(language=language, now=timezone.now())
        reset = options["reset_by"].format(email=made.email)
        if made.password is None:
            self.stdout.write(
                f"People exist already, such as {made.email}. Lost the password? "
                f"{reset}"
            )
            return
        self.stdout.write(
            "First team and operator created. Sign in with:\n"
            f"  e-mail    {made.email}\n"
            f"  password  {made.password}\n"
            "The password is not shown again; a new one comes from\n"
            f"  {reset}"
        )
