"""Kill -9 this process when a row of a named model is saved or committed, once.

`FAULT` is `<when>:<app.Model>`; when is `on_commit` (the first callback after the
commit of the insert) or `in_transaction` (after the insert, before the commit).
`FAULT_ONCE` is the path of a file that exists once the fault has struck. Nothing of
the product is replaced: a receiver of post_save is connected before its own.
"""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import Any

from django.apps import AppConfig, apps
from django.db import transaction
from django.db.models.signals import post_save


class FaultsConfig(AppConfig):
    """Arms the fault that the environment names."""

    name = "tests.chaos.faults"
    label = "faults"

    def ready(self) -> None:
        """Connect the killer, first of all receivers."""
        when, _colon, label = os.environ.get("FAULT", "").partition(":")
        if not label:
            return
        self.when = when
        self.struck = Path(os.environ["FAULT_ONCE"])
        post_save.connect(self._strike, sender=apps.get_model(label), weak=False)

    def _strike(self, created: bool, **_kwargs: Any) -> None:
        if not created or self.struck.exists():
            return
        if self.when == "on_commit":
            transaction.on_commit(self._kill)
        else:
            self._kill()

    def _kill(self) -> None:
        self.struck.write_text("struck")
        os.kill(os.getpid(), signal.SIGKILL)
