"""The one reader of the process environment."""

from __future__ import annotations

from pathlib import Path

import environ

ROOT = Path(__file__).resolve().parent.parent

env = environ.Env()
