"""The main job as a REST client does it, for flow and chaos tests."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from typing import Any

import httpx2

from tests.support.people import TENANT, Person
from tests.support.stack import Stack

IDEA = (
    "We need a nightly export of unpaid invoices to the finance share, "
    "with an alert when it fails."
)
IDEE = (
    "Il nous faut un export nocturne des factures impayées vers le partage de la "
    "finance, avec une alerte en cas d'échec."
)
ENDED = ("done", "failed", "stopped", "interrupted")


@dataclass
class Caller:
    """One person's REST client of a running stack, in their tenant."""

    stack: Stack
    http: httpx2.Client
    tenant: str = TENANT

    @classmethod
    def of(cls, stack: Stack, person: Person) -> Caller:
        """Return a caller with the person's token of the seed."""
        return cls(stack, stack.api(person), person.tenant)

    def path(self, rest: str) -> str:
        """Return the address below this tenant."""
        return f"t/{self.tenant}/{rest}"

    def post(self, rest: str, body: dict[str, Any], **options: Any) -> httpx2.Response:
        """POST JSON."""
        return self.http.post(self.path(rest), json=body, **options)

    def get(self, rest: str, **options: Any) -> Any:
        """GET, and return the JSON of a 200."""
        answer = self.http.get(self.path(rest), **options)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def new_conversation(self, track: str = "Build", **more: Any) -> str:
        """Begin a conversation and return its id."""
        answer = self.post("conversations", {"track": track, **more})
        assert answer.status_code == 201, answer.text
        return str(answer.json()["id"])

    def send(self, conversation: str, text: str, *, wait: int = 0) -> dict[str, Any]:
        """Send a message; with `wait` seconds for the answer."""
        headers = {"Prefer": f"wait={wait}"} if wait else {}
        path = f"conversations/{conversation}/messages"
        answer = self.post(path, {"text": text}, headers=headers)
        assert answer.status_code in (200, 202), answer.text
        return dict(answer.json())

    def ask(self, conversation: str, text: str) -> dict[str, Any]:
        """Send a message and return the turn once it has ended."""
        sent = self.send(conversation, text, wait=30)
        turn = self.turn(sent["turn"]["id"])
        assert turn["state"] in ENDED, turn
        return turn

    def turn(self, turn_id: str) -> dict[str, Any]:
        """Return a turn."""
        return dict(self.get(f"turns/{turn_id}"))

    def open_request(self, conversation: str) -> dict[str, Any]:
        """Return the one open request of a conversation."""
        rows = self.stack.sql(
            "SELECT id FROM decisions_attentionrequest "
            "WHERE origin_conversation = ? AND state = 'open'",
            uuid_key(self.stack, conversation),
        )
        assert len(rows) == 1, f"{len(rows)} open requests"
        return self.request(str(uuid.UUID(str(rows[0][0]))))

    def request(self, request_id: str) -> dict[str, Any]:
        """Return a request of the queue as an operator sees it."""
        return dict(self.get(f"decisions/{request_id}"))

    def decide(
        self, request: dict[str, Any], option: str, note: str = ""
    ) -> httpx2.Response:
        """Decide on what this request showed."""
        return self.post(
            f"decisions/{request['id']}/decision",
            {
                "option": option,
                "note": note,
                "revision": request["revision"],
                "payload_hash": request["payload_hash"],
            },
        )


def uuid_key(stack: Stack, value: str) -> str:
    """Return a key as the stack's database stores it (SQLite: without dashes)."""
    return value.replace("-", "") if stack.shape == "embedded" else value


def missions_of(stack: Stack, request_id: str) -> int:
    """Return how many Missions a request has, counted in the database."""
    return stack.count(
        "missions_mission", "source_request_id = ?", uuid_key(stack, request_id)
    )


def wait_for_mission(stack: Stack, request_id: str, *, timeout: float = 60) -> None:
    """Wait until a request has its Mission, and check that it has exactly one."""
    stack.wait_for(
        lambda: missions_of(stack, request_id) > 0,
        timeout=timeout,
        what="the Mission of an approved request",
    )
    assert missions_of(stack, request_id) == 1
