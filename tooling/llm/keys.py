"""Provider keys: from the environment, or from a file that only its owner may read.

A preset names a variable, never a key. The variable holds the key; or the variable
with `_FILE` appended names a file that holds it.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path

from tooling.llm.types import BackendError


def read_key(key_env: str) -> str:
    """Return the key that `key_env` leads to, "" when a preset names none.

    Raises `BackendError` (unauthorized) when it leads nowhere, and for a file that
    others may read.
    """
    if not key_env:
        return ""
    key = os.environ.get(key_env, "").strip()
    if key:
        return key
    path = os.environ.get(f"{key_env}_FILE", "")
    if not path:
        detail = f"neither {key_env} nor {key_env}_FILE is set"
        raise BackendError(code="unauthorized", detail=detail)
    return _read_file(Path(path), f"{key_env}_FILE")


def key_is_stated(key_env: str) -> bool:
    """Tell whether the environment has a key, or a file of one, under this name."""
    return bool(os.environ.get(key_env) or os.environ.get(f"{key_env}_FILE"))


def _read_file(path: Path, variable: str) -> str:
    try:
        mode = stat.S_IMODE(path.stat().st_mode)
        key = path.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        detail = f"the file that {variable} names cannot be read: {_reason(error)}"
        raise BackendError(code="unauthorized", detail=detail) from None
    if mode & 0o077:
        detail = f"the file that {variable} names has mode {mode:04o}; it must be 0600"
        raise BackendError(code="unauthorized", detail=detail)
    if not key:
        raise BackendError(
            code="unauthorized", detail=f"the file that {variable} names is empty"
        )
    return key


def _reason(error: Exception) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or "not text"
