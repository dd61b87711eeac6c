"""The Celery application. A queue is only ever a hint: see docs/architecture.md."""

from __future__ import annotations

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.base")

app = Celery("dialogue")
app.config_from_object("django.conf:settings", namespace="CELERY")
# Tasks bind to the current app; in a thread-made worker that must be this one.
app.set_default()
app.autodiscover_tasks()
