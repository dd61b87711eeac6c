"""Sending and reading messages, waiting, stopping and trying again, by REST."""

from __future__ import annotations

import threading
import time

import pytest
from django.db import connection, transaction
from django.utils import timezone
from rest_framework.test import APIClient

from dialogue.models import (
    Conversation,
    ConversationMessage,
    MessageRole,
    Turn,
    TurnState,
)
from dialogue.services.conversations import create_conversation
from dialogue.services.journal import append_message
from tests.support.api import Someone, api
from tooling.models import IdempotencyRecord, ModelCall

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def conversation(member: Someone) -> Conversation:
    return create_conversation(
        principal=member.principal, track="Build", now=timezone.now()
    )


@pytest.fixture
def path(conversation: Conversation) -> str:
    return api("acme", f"conversations/{conversation.pk}/messages")


def finish(turn: Turn, text: str = "Done.") -> None:
    """Store an answer and end the turn, as a worker does."""
    now = timezone.now()
    with transaction.atomic():
        Turn.objects.filter(pk=turn.pk).update(state=TurnState.DONE, ended_at=now)
        append_message(
            conversation_id=turn.conversation_id,
            tenant_id=turn.tenant_id,
            role=MessageRole.ASSISTANT,
            text=text,
            turn_id=turn.pk,
            now=now,
        )


@pytest.mark.promise("D6")
def test_send_answers_at_once(client: APIClient, path: str) -> None:
    answer = client.post(path, {"text": "  Hello\n"}, format="json")
    assert answer.status_code == 202
    body = answer.json()
    assert body["created"] is True
    assert body["message"]["text"] == "  Hello\n"
    assert body["turn"]["state"] == "queued"
    assert body["turn"]["human_message"] == body["message"]["id"]
    assert answer["Location"] == api("acme", f"turns/{body['turn']['id']}")
    assert client.get(answer["Location"]).status_code == 200


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "blank"),
        (" \n\t", "blank"),
        ("\u200b\u2060", "blank"),
        ("x" * 200_000, "too_long"),
        (None, "null"),
        (5, "invalid"),
        (["x"], "invalid"),
    ],
)
def test_bad_text_stores_nothing(
    client: APIClient, path: str, text: object, code: str
) -> None:
    answer = client.post(path, {"text": text}, format="json")
    assert answer.status_code == 400
    [error] = answer.json()["errors"]
    assert (error["attr"], error["code"]) == ("text", code)
    assert not ConversationMessage.objects.exists()
    assert not Turn.objects.exists()


def test_the_longest_message_fits(client: APIClient, path: str) -> None:
    answer = client.post(path, {"text": "é" * 100_000}, format="json")
    assert answer.status_code == 202


def test_same_client_key_is_one_message(client: APIClient, path: str) -> None:
    body = {"text": "Hello", "client_key": "tab-1"}
    first = client.post(path, body, format="json")
    again = client.post(path, body, format="json")
    assert (first.status_code, again.status_code) == (202, 202)
    assert again.json()["created"] is False
    assert again.json()["message"]["id"] == first.json()["message"]["id"]
    other = client.post(path, {**body, "text": "Other"}, format="json")
    assert other.status_code == 409
    assert other.json()["errors"][0]["code"] == "client_key_reused"
    assert ConversationMessage.objects.count() == 1


def test_idempotency_key_holds_even_when_its_record_is_gone(
    client: APIClient, path: str
) -> None:
    headers = {"Idempotency-Key": "send-1"}
    first = client.post(path, {"text": "Hello"}, format="json", headers=headers)
    again = client.post(path, {"text": "Hello"}, format="json", headers=headers)
    assert again.json() == first.json()
    IdempotencyRecord.objects.all().delete()
    third = client.post(path, {"text": "Hello"}, format="json", headers=headers)
    assert third.json()["message"]["id"] == first.json()["message"]["id"]
    assert ConversationMessage.objects.count() == 1


def test_read_before_and_after(client: APIClient, path: str) -> None:
    for number in range(1, 8):
        client.post(path, {"text": str(number)}, format="json")

    def seqs(**query: int) -> list[int]:
        return [each["seq"] for each in client.get(path, query).json()["items"]]

    assert seqs() == [1, 2, 3, 4, 5, 6, 7]
    assert seqs(limit=3) == [5, 6, 7]
    assert seqs(limit=3, before=5) == [2, 3, 4]
    assert seqs(limit=3, after=5) == [6, 7]
    assert seqs(limit=3, after=2) == [3, 4, 5]
    assert seqs(after=10**30) == []
    assert client.get(path, {"before": "x"}).status_code == 400
    page = client.get(path, {"limit": 3, "after": 2}).json()
    assert (page["earlier"], page["later"]) == (3, 5)


def test_wait_for_the_reply(client: APIClient, path: str) -> None:
    def work() -> None:
        try:
            until = time.monotonic() + 20
            while time.monotonic() < until:
                turn = Turn.objects.filter(state=TurnState.QUEUED).first()
                if turn is not None:
                    finish(turn, "Here it is.")
                    return
                time.sleep(0.05)
        finally:
            connection.close()

    worker = threading.Thread(target=work)
    worker.start()
    answer = client.post(
        path, {"text": "Hello"}, format="json", headers={"Prefer": "wait=20"}
    )
    worker.join()
    assert answer.status_code == 200
    assert answer["Preference-Applied"] == "wait=20"
    body = answer.json()
    assert body["turn"]["state"] == "done"
    assert body["reply"]["text"] == "Here it is."
    assert body["created"] is True


def test_wait_that_runs_out(client: APIClient, path: str) -> None:
    before = time.monotonic()
    answer = client.post(
        path, {"text": "Hello"}, format="json", headers={"Prefer": "wait=1"}
    )
    assert answer.status_code == 202
    assert 0.9 < time.monotonic() - before < 10


@pytest.mark.parametrize("prefer", ["wait=-1", "wait=abc", "respond-async", "wait="])
def test_nonsense_is_not_waited_for(client: APIClient, path: str, prefer: str) -> None:
    answer = client.post(
        path, {"text": "Hello"}, format="json", headers={"Prefer": prefer}
    )
    assert answer.status_code == 202
    assert "Preference-Applied" not in answer


def test_turn_with_its_steps(client: APIClient, path: str) -> None:
    sent = client.post(path, {"text": "Hello"}, format="json")
    turn = Turn.objects.get()
    running = client.get(sent["Location"]).json()
    assert running["reply"] is None
    assert running["partial_text"] == ""
    assert running["error"] is None
    finish(turn, "Done.")
    ended = client.get(sent["Location"]).json()
    assert [each["role"] for each in ended["messages"]] == ["user", "assistant"]
    assert ended["reply"]["text"] == "Done."
    assert ended["tool_calls"] == []


def test_stop_and_retry(client: APIClient, path: str) -> None:
    sent = client.post(path, {"text": "Hello"}, format="json")
    where = sent["Location"]
    early = client.post(f"{where}/retry", {}, format="json")
    assert early.status_code == 409
    stopped = client.post(f"{where}/stop", {}, format="json")
    assert stopped.status_code == 202
    assert stopped.json()["state"] == "stopped"
    assert client.post(f"{where}/stop", {}, format="json").status_code == 202
    again = client.post(f"{where}/retry", {}, format="json")
    assert again.status_code == 202
    assert (again.json()["state"], again.json()["attempt"]) == ("queued", 2)
    assert Turn.objects.count() == 1


def test_too_many_queued(client: APIClient, path: str) -> None:
    for number in range(20):
        client.post(path, {"text": str(number)}, format="json")
    answer = client.post(path, {"text": "one more"}, format="json")
    assert answer.status_code == 429
    assert answer.json()["errors"][0]["code"] == "too_many_queued"


@pytest.mark.promise("D32")
def test_cost_is_the_sum_of_the_ledger(
    client: APIClient, conversation: Conversation, member: Someone
) -> None:
    for cost in (5, 7, None):
        ModelCall.objects.create(
            tenant=member.tenant,
            conversation_id=conversation.pk,
            call_site="Dialogue:GeneralDialogue",
            preset="p",
            backend="openai",
            model="m",
            outcome="done",
            fresh_tokens=10,
            output_tokens=2,
            cost_nano_usd=cost,
            price_version="unpriced" if cost is None else "p1",
            started_at=timezone.now(),
        )
    where = api("acme", f"conversations/{conversation.pk}/cost")
    body = client.get(where, {"limit": 2}).json()
    assert body["sums"] == {
        "nano_usd": 12,
        "calls": 3,
        "unpriced_calls": 1,
        "input_tokens": 30,
        "output_tokens": 6,
    }
    assert len(body["items"]) == 2
    rest = client.get(where, {"limit": 2, "cursor": body["next"]}).json()
    assert len(rest["items"]) == 1
    assert rest["next"] is None


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "The answer was interrupted. Try again."),
        ("fr", "La réponse a été interrompue. Réessayez."),
    ],
)
def test_an_interrupted_turn_says_what_happened_and_what_to_do(
    client: APIClient, path: str, language: str, sentence: str
) -> None:
    turn = Turn.objects.get(
        pk=client.post(path, {"text": "Hello"}, format="json").json()["turn"]["id"]
    )
    Turn.objects.filter(pk=turn.pk).update(
        state=TurnState.INTERRUPTED, error_code="interrupted", ended_at=timezone.now()
    )
    answer = client.get(
        api("acme", f"turns/{turn.pk}"), headers={"Accept-Language": language}
    )
    error = {"code": "interrupted", "detail": sentence, "cause": ""}
    assert answer.json()["error"] == error
