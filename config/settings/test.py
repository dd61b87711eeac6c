"""Settings of in-process tests: never those of a local trial's `.env`."""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
from pathlib import Path

# Whatever the person at the keyboard has set for a trial is not for tests.
for name in [name for name in os.environ if name.startswith("DIALOGUE_")]:
    del os.environ[name]
os.environ["DJANGO_SECRET_KEY"] = "tests-only-" + "x" * 50
os.environ["DIALOGUE_DATA_DIR"] = tempfile.mkdtemp(prefix="dialogue-tests-")
os.environ["DJANGO_SECURE"] = "false"
os.environ["DIALOGUE_PLANNER_DELAY_MS"] = "0"
if "REDIS_URL" in os.environ:
    # Tests that run side by side share the server, each in a database of its own.
    _server, _, _ = os.environ["REDIS_URL"].rpartition("/")
    _number = os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")
    os.environ["REDIS_URL"] = f"{_server}/{_number}"

from config.settings.base import *  # noqa: E402, F403
from config.settings.base import DATA_DIR, DATABASES, STORAGES  # noqa: E402

atexit.register(shutil.rmtree, DATA_DIR, ignore_errors=True)
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
