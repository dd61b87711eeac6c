"""Set a person's password."""

from __future__ import annotations

import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from tooling.errors import DomainError
from tooling.services.people import set_password


class Command(BaseCommand):
    """Never takes a password as an argument: process lists show those."""

    help = "Set a person's password: a generated one, printed once, or --stdin"

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the e-mail address, and where the password comes from."""
        parser.add_argument("email")
        parser.add_argument(
            "--stdin", action="store_true", help="read it from standard input"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Set it, and print it if it was generated."""
        given = sys.stdin.readline().rstrip("\r\n") if options["stdin"] else None
        try:
            done = set_password(email=options["email"], password=given)
        except DomainError as error:
            raise CommandError(str(error)) from error
        if done.generated is None:
            self.stdout.write(f"The password of {done.email} is set.")
        else:
            self.stdout.write(f"The new password of {done.email}: {done.generated}")
