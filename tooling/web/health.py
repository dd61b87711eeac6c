"""Is the process up, and can it serve? For load balancers; no secrets."""

from __future__ import annotations

import asyncio
from concurrent.futures import Future, ThreadPoolExecutor
from http import HTTPStatus

from django.http import HttpRequest, HttpResponse, JsonResponse

from tooling.health import run_checks

# A probe gives up before its asker does; the check itself goes on in its thread.
DEADLINE_SECONDS = 1.5


def healthz(request: HttpRequest) -> HttpResponse:
    """Answer that the process is up. Looks at nothing else."""
    return JsonResponse({"status": "ok"})


healthz.access_rule = "public"  # type: ignore[attr-defined]


class _Probe:
    """One check at a time: askers share the one under way, so none pile up."""

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="readyz")
        self._running: Future[dict[str, str]] | None = None

    def ask(self) -> Future[dict[str, str]]:
        """Return the check under way, or a new one."""
        if self._running is None or self._running.done():
            self._running = self._pool.submit(run_checks)
        return self._running


_probe = _Probe()


async def readyz(request: HttpRequest) -> HttpResponse:
    """Answer 200 when all that this process needs works, else 503 with the names."""
    try:
        checking = asyncio.wrap_future(_probe.ask())
        faults = await asyncio.wait_for(asyncio.shield(checking), DEADLINE_SECONDS)
    except TimeoutError:
        faults = {"database": f"no answer within {DEADLINE_SECONDS} s"}
    failed = any(faults.values())
    body = {
        "status": "failed" if failed else "ok",
        "checks": {name: fault or "ok" for name, fault in faults.items()},
    }
    status = HTTPStatus.SERVICE_UNAVAILABLE if failed else HTTPStatus.OK
    return JsonResponse(body, status=status)


readyz.access_rule = "public"  # type: ignore[attr-defined]
