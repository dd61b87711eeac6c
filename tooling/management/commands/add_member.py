"""Add a person to a team from the command line."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from tooling.errors import DomainError
from tooling.roles import Role
from tooling.services.members import add_member
from tooling.services.people import command_principal


class Command(BaseCommand):
    """For the first people of a deployment, and for scripts."""

    help = "Add a person to a team; prints a link to choose a password if they are new"

    def add_arguments(self, parser: CommandParser) -> None:
        """Take who, where and as what."""
        parser.add_argument("email")
        parser.add_argument("--tenant", required=True, help="the team's slug")
        parser.add_argument("--role", default=Role.MEMBER.value, choices=Role.values)
        parser.add_argument(
            "--base-url",
            default="http://127.0.0.1:8000",
            help="where people reach this server; the link begins with it",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Add them."""
        base = options["base_url"].rstrip("/")
        try:
            added = add_member(
                principal=command_principal(slug=options["tenant"]),
                email=options["email"],
                role=options["role"],
                language=settings.LANGUAGE_CODE,
                link_to=lambda path: f"{base}{path}",
                now=timezone.now(),
            )
        except DomainError as error:
            raise CommandError(str(error)) from error
        email = added.membership.user.email
        self.stdout.write(f"{email} is in the team as {added.membership.role}.")
        if added.link:
            self.stdout.write(f"To choose a password, once: {added.link}")
