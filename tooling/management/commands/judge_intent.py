"""Judge messages from standard input, for whoever evaluates the judge."""

from __future__ import annotations

import json
import sys
from typing import Any

from django.core.management.base import BaseCommand

from tooling.errors import DomainError
from tooling.intent.lines import judge_line


class Command(BaseCommand):
    """One JSON line in, one JSON line out; exit code 1 where a line was bad."""

    help = "Judge the intent of messages: JSON lines from standard input"
    requires_system_checks = ()

    def handle(self, *args: Any, **options: Any) -> None:
        """Answer each line as it comes; a bad one gives an error in its place."""
        bad = False
        for number, line in enumerate(sys.stdin.buffer, start=1):
            if not line.strip():
                continue
            try:
                answer = judge_line(line)
            except DomainError as error:
                bad = True
                answer = {"error": error.code, "line": number}
            self.stdout.write(json.dumps(answer, ensure_ascii=False))
            self.stdout.flush()
        if bad:
            sys.exit(1)
