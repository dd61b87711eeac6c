"""Settings of in-process tests: never those of a local trial's `.env`."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

os.environ["DJANGO_SECRET_KEY"] = "tests-only-" + "x" * 50
os.environ["DIALOGUE_DATA_DIR"] = tempfile.mkdtemp(prefix="dialogue-tests-")
os.environ.pop("DIALOGUE_INPROCESSTOOLS_WRITEENABLED", None)
os.environ["DJANGO_SECURE"] = "false"
os.environ["DIALOGUE_PLANNER_DELAY_MS"] = "0"

from config.settings.base import *  # noqa: E402, F403
from config.settings.base import DATA_DIR, DATABASES, STORAGES  # noqa: E402

ALLOWED_HOSTS = ["testserver", "127.0.0.1", "localhost"]
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
STORAGES["staticfiles"] = {
    "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
}
if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    # A file: an in-memory database locks every other thread out.
    DATABASES["default"]["TEST"] = {"NAME": str(Path(DATA_DIR) / "test.sqlite3")}
MFA_REQUIRED = False
