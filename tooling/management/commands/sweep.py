"""Run every sweep once."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from tooling.sweeps import run_sweeps


class Command(BaseCommand):
    """Find and finish what was left behind; safe to run at any time."""

    help = "Run every sweep once and print how many rows each changed."

    def handle(self, *args: Any, **options: Any) -> None:
        """Print one line per sweep."""
        for name, changed in run_sweeps(now=timezone.now()).items():
            self.stdout.write(f"{name}: {changed}")
