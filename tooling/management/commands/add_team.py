"""Create a team with its first admin."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from tooling.errors import DomainError
from tooling.services.teams import create_team


class Command(BaseCommand):
    """A team is a wall: its members see nothing of another's."""

    help = "Create a team with its first admin; prints a link if they are new"

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the team's address, its name, and who is its admin."""
        parser.add_argument("slug")
        parser.add_argument("--name", required=True)
        parser.add_argument("--admin", required=True, help="an e-mail address")
        parser.add_argument(
            "--base-url",
            default="http://127.0.0.1:8000",
            help="where people reach this server; the link begins with it",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Create it."""
        base = options["base_url"].rstrip("/")
        try:
            added = create_team(
                slug=options["slug"],
                name=options["name"],
                admin_email=options["admin"],
                language=settings.LANGUAGE_CODE,
                link_to=lambda path: f"{base}{path}",
                now=timezone.now(),
            )
        except DomainError as error:
            raise CommandError(str(error)) from error
        email = added.membership.user.email
        self.stdout.write(f"{email} is the admin of {base}/t/{options['slug']}/")
        if added.link:
            self.stdout.write(f"To choose a password, once: {added.link}")
