"""Look at the deployment and say what is wrong."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from tooling.doctor import examine


class Command(BaseCommand):
    """One line a finding; exit code 1 where something is at fault."""

    help = "Check database, migrations, static files, Redis, model and switch"

    def handle(self, *args: Any, **options: Any) -> None:
        """Print the findings."""
        findings = examine()
        for finding in findings:
            mark = "ok   " if finding.ok else "FAULT"
            self.stdout.write(f"{mark}  {finding.name}: {finding.text}")
        faults = sum(not finding.ok for finding in findings)
        if faults:
            message = f"{faults} to repair."
            raise CommandError(message)
