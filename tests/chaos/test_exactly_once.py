"""One approval, one Mission: fifty at once, killed at each line, broker broken."""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx2
import pytest

from tests.chaos.conftest import proposed
from tests.flows.api_client import (
    Caller,
    missions_of,
    uuid_key,
    wait_for_mission,
)
from tests.support.clients import PageClient
from tests.support.people import OPERATOR, SECOND_OPERATOR, STAFF
from tests.support.stack import Stack

pytestmark = [pytest.mark.soak, pytest.mark.timeout(300)]
APPROVE = "Approve and create"
MISSIONS = "SELECT id, status, updated_at FROM missions_mission ORDER BY id"


def decision_page(request: dict[str, Any]) -> str:
    """Return the address of a request's decision page."""
    return f"/admin/decisions/attentionrequest/{request['id']}/change/"


def approve_by_form(client: PageClient, request: dict[str, Any]) -> int:
    """Approve as the admin's form does and return the answer's status."""
    page = client.get(decision_page(request))
    assert page.status_code == 200, page.text[:500]
    answer = client.post(
        decision_page(request),
        {
            "option": APPROVE,
            "note": "",
            "revision": request["revision"],
            "payload_hash": request["payload_hash"],
            "confirmed": "1",
        },
    )
    return int(answer.status_code)


@pytest.mark.promise("D83", "A10", "D80")
@pytest.mark.lesson("H-01")
def test_fifty_approvals_at_once_make_one_mission(victim: Stack) -> None:
    conversation = proposed(victim)
    operators = [Caller.of(victim, p) for p in (OPERATOR, SECOND_OPERATOR, STAFF)]
    request = operators[0].open_request(conversation)
    browser = victim.client(OPERATOR)

    def by_rest(number: int) -> int:
        return operators[number % 3].decide(request, APPROVE).status_code

    def by_form(_number: int) -> int:
        return approve_by_form(browser, request)

    shells = [
        victim.spawn_shell(
            "from django.core.management import call_command\n"
            f"call_command('decide', '{request['id']}', '--as', '{OPERATOR.email}',"
            f" '--option', '{APPROVE}')"
        )
        for _number in range(4)
    ]
    with ThreadPoolExecutor(24) as pool:
        rest = list(pool.map(by_rest, range(36)))
        forms = list(pool.map(by_form, range(10)))
    for shell in shells:
        shell.wait(timeout=60)
    told = Counter([*rest, *forms])
    assert set(told) <= {200, 302, 409}, told
    wait_for_mission(victim, request["id"], timeout=30)
    key = uuid_key(victim, request["id"])
    assert victim.count("decisions_resolution", "request_id = ?", key) == 1
    time.sleep(4)
    assert missions_of(victim, request["id"]) == 1, "a sweep made another"


@pytest.mark.promise("D83")
@pytest.mark.lesson("H-03")
@pytest.mark.parametrize(
    "fault",
    [
        "in_transaction:decisions.Resolution",
        "on_commit:decisions.Resolution",
        "in_transaction:missions.Mission",
        "on_commit:missions.Mission",
        "in_transaction:missions.Materialisation",
    ],
)
def test_killed_at_a_line_there_is_one_mission_after_recovery(
    faulty: Callable[[str], Stack], tmp_path: Path, fault: str
) -> None:
    stack = faulty(fault)
    operator = Caller.of(stack, OPERATOR)
    request = operator.open_request(proposed(stack))
    try:
        answer = operator.decide(request, APPROVE)
        answered = answer.status_code
    except httpx2.TransportError:
        answered = 0
    stack.wait_for(
        lambda: (tmp_path / "struck").exists(), timeout=30, what=f"the fault {fault}"
    )
    time.sleep(0.5)
    for process in [*stack.webs, *stack.workers]:
        if process.returncode is not None:
            stack.restart(process)
    key = uuid_key(stack, request["id"])
    if not stack.count("decisions_resolution", "request_id = ?", key):
        # The deciding transaction never committed: nobody was told that it had.
        assert answered != 200
        assert missions_of(stack, request["id"]) == 0
        assert operator.decide(request, APPROVE).status_code == 200
    wait_for_mission(stack, request["id"], timeout=60)
    stack.manage("sweep")
    assert missions_of(stack, request["id"]) == 1


@pytest.mark.promise("D83")
@pytest.mark.case("A08")
@pytest.mark.shape("grown", reason="the embedded shape has no Redis")
@pytest.mark.parametrize("trouble", ["kill", "freeze", "fill"])
def test_a_broken_broker_costs_the_approver_nothing(
    victim: Stack, trouble: str
) -> None:
    assert victim.redis is not None
    client = victim.client(OPERATOR)
    operator = Caller.of(victim, OPERATOR)
    request = operator.open_request(proposed(victim))
    page = client.get(decision_page(request))
    assert re.search(r"<form", page.text)
    getattr(victim.redis, trouble)()
    began = time.monotonic()
    answer = client.post(
        decision_page(request),
        {
            "option": APPROVE,
            "note": "",
            "revision": request["revision"],
            "payload_hash": request["payload_hash"],
            "confirmed": "1",
        },
    )
    took = time.monotonic() - began
    assert answer.status_code in (200, 302), answer.text[:500]
    assert took < 5, f"the approver waited {took:.1f} s"
    if trouble == "kill":
        victim.redis.restart()
    elif trouble == "freeze":
        time.sleep(5)
        victim.redis.thaw()
    wait_for_mission(victim, request["id"], timeout=60)


@pytest.mark.case("A18")
def test_recovery_touches_nothing_that_is_finished(victim: Stack) -> None:
    operator = Caller.of(victim, OPERATOR)
    for _number in range(5):
        request = operator.open_request(proposed(victim))
        assert operator.decide(request, APPROVE).status_code == 200
        wait_for_mission(victim, request["id"])
    before = victim.sql(MISSIONS)
    events = victim.count("dialogue_event")
    victim.restart(victim.worker)
    for _round in range(2):
        lines = victim.manage("sweep").splitlines()
        changed = [line for line in lines if re.search(r": -?[1-9]", line)]
        assert not changed, changed
    after = victim.sql(MISSIONS)
    assert after == before
    assert victim.count("dialogue_event") == events
