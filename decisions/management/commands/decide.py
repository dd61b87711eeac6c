"""Decide from the command line, as a named person."""

from __future__ import annotations

import uuid
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from decisions.kinds import ApprovalOption
from decisions.selectors import command_decider
from decisions.services.deciding import decide
from tooling.errors import DomainError


class Command(BaseCommand):
    """For operators without a browser; leaves an audit row like every decision."""

    help = "Decide on a request as a person who has the right to"

    def add_arguments(self, parser: CommandParser) -> None:
        """Take who, what and on which request."""
        parser.add_argument("request_id", type=uuid.UUID)
        parser.add_argument("--as", dest="email", required=True, help="who decides")
        parser.add_argument(
            "--option",
            required=True,
            help="; ".join(f"“{option}”" for option in ApprovalOption.values)
            + "; for a question one of its own options",
        )
        parser.add_argument("--note", default="")
        parser.add_argument("--revision", type=int, help="the revision that was read")
        parser.add_argument("--payload-hash", help="the fingerprint that was read")

    def handle(self, *args: Any, **options: Any) -> None:
        """Decide, and say what came of it."""
        try:
            principal, shown = command_decider(
                email=options["email"], request_id=options["request_id"]
            )
            decided = decide(
                principal=principal,
                request_id=options["request_id"],
                option=options["option"],
                note=options["note"],
                revision=options["revision"] or shown.revision,
                payload_hash=options["payload_hash"] or shown.payload_hash,
                now=timezone.now(),
            )
        except DomainError as error:
            message = f"{error.code}: {error}"
            raise CommandError(message) from error
        self.stdout.write(
            f"{decided.outcome}: {decided.resolution.option} on revision "
            f"{decided.request.revision} of “{decided.request.title}”."
        )
