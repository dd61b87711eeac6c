"""The server's application: static files, and the worker it hosts."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import httpx2
import pytest
from starlette.exceptions import HTTPException

from config import asgi

pytestmark = pytest.mark.shape("embedded", reason="touches no database")


async def fetch(folder: Path, path: str) -> httpx2.Response:
    static = asgi.CachedStaticFiles(directory=folder)
    transport = httpx2.ASGITransport(app=static)
    async with httpx2.AsyncClient(
        transport=transport, base_url="http://testserver"
    ) as client:
        return await client.get(path)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("app.0123456789ab.css", "public, max-age=31536000, immutable"),
        ("app.css", "public, max-age=300"),
        ("app.0123.css", "public, max-age=300"),
    ],
)
async def test_only_hashed_names_are_kept_for_ever(
    tmp_path: Path, name: str, expected: str
) -> None:
    (tmp_path / name).write_text("a{}")
    answer = await fetch(tmp_path, f"/{name}")
    assert answer.headers["Cache-Control"] == expected
    assert answer.headers["X-Content-Type-Options"] == "nosniff"


@pytest.mark.parametrize("path", ["/../secret", "/%2e%2e/secret", "/..%2fsecret"])
async def test_nothing_outside_the_folder_is_served(tmp_path: Path, path: str) -> None:
    (tmp_path / "secret").write_text("x")
    (tmp_path / "static").mkdir()
    with pytest.raises(HTTPException):
        await fetch(tmp_path / "static", path)


class FakeWorker:
    """Stands where the embedded worker stands."""

    def __init__(self) -> None:
        self.calls: list[str] = []
        self.worker = self
        self.alive = True

    def start_embedded(self) -> None:
        self.calls.append("start")

    def stop_embedded(self) -> None:
        self.calls.append("stop")


@pytest.mark.parametrize(
    ("word", "expected"),
    [("off", []), ("on", ["start", "stop"]), ("", ["start", "stop"])],
)
async def test_the_worker_lives_as_long_as_the_server(
    monkeypatch: pytest.MonkeyPatch, word: str, expected: list[str]
) -> None:
    fake = FakeWorker()

    def import_module(_name: str) -> Any:
        return fake

    monkeypatch.setenv("DIALOGUE_WORKER", word)
    monkeypatch.setattr(asgi, "import_module", import_module)
    async with asgi.lifespan(None):
        await asyncio.sleep(0)
    assert fake.calls == expected
