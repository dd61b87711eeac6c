"""`Idempotency-Key`: one piece of work and one answer, however often it is sent."""

from __future__ import annotations

import datetime as dt
import threading
from concurrent.futures import ThreadPoolExecutor
from unittest import mock

import pytest
from django.db import connection, transaction
from django.utils import timezone
from rest_framework.test import APIClient

from dialogue.models import Conversation
from dialogue.services.conversations import create_conversation
from tests.support.api import Someone, api, client_of, make_member, make_token
from tooling.errors import Conflict
from tooling.models import IdempotencyRecord
from tooling.services.idempotency import (
    STALE_AFTER,
    KeyInUse,
    KeyReused,
    StoredAnswer,
    TakenKey,
    forget_keys,
    give_up_key,
    store_answer,
    take_key,
)

ACME = api("acme", "conversations")
BODY = {"track": "Build", "title": "Once"}


def test_repetition_gets_the_first_answer(client: APIClient) -> None:
    headers = {"Idempotency-Key": "k-1"}
    first = client.post(ACME, BODY, format="json", headers=headers)
    again = client.post(ACME, BODY, format="json", headers=headers)
    assert first.status_code == again.status_code == 201
    assert again.content == first.content
    assert again["Location"] == first["Location"]
    assert again["Idempotency-Replayed"] == "true"
    assert Conversation.objects.count() == 1


def test_without_a_key_each_is_its_own(client: APIClient) -> None:
    client.post(ACME, BODY, format="json")
    client.post(ACME, BODY, format="json")
    assert Conversation.objects.count() == 2


def test_another_body_or_address_is_refused(client: APIClient) -> None:
    headers = {"Idempotency-Key": "k-1"}
    made = client.post(ACME, BODY, format="json", headers=headers).json()
    other = client.post(ACME, {"track": "Research"}, format="json", headers=headers)
    assert other.status_code == 422
    assert other.json()["errors"][0]["code"] == "idempotency_key_reused"
    complete = f"{ACME}/{made['id']}/complete"
    assert (
        client.post(complete, BODY, format="json", headers=headers).status_code == 422
    )
    assert Conversation.objects.count() == 1


def test_a_refusal_is_an_answer_too(client: APIClient) -> None:
    headers = {"Idempotency-Key": "k-1"}
    first = client.post(ACME, {"track": "Gossip"}, format="json", headers=headers)
    again = client.post(ACME, {"track": "Gossip"}, format="json", headers=headers)
    assert first.status_code == again.status_code == 400
    assert again.json() == first.json()
    assert again["Idempotency-Replayed"] == "true"


def test_a_fault_of_ours_is_not_kept(client: APIClient) -> None:
    headers = {"Idempotency-Key": "k-1"}
    with mock.patch(
        "dialogue.api.conversations.create_conversation", side_effect=RuntimeError
    ):
        failed = client.post(ACME, BODY, format="json", headers=headers)
    assert failed.status_code == 500
    assert not IdempotencyRecord.objects.exists()
    assert client.post(ACME, BODY, format="json", headers=headers).status_code == 201


def test_work_of_a_failed_request_is_undone(client: APIClient) -> None:
    headers = {"Idempotency-Key": "k-1"}
    with mock.patch(
        "dialogue.api.conversations.ConversationSerializer", side_effect=RuntimeError
    ):
        failed = client.post(ACME, BODY, format="json", headers=headers)
    assert failed.status_code == 500
    assert not Conversation.objects.exists()


def test_what_a_refusal_kept_on_purpose_stays(
    client: APIClient, member: Someone
) -> None:
    def keep_and_refuse(**_fields: object) -> Conversation:
        with transaction.atomic():
            create_conversation(
                principal=member.principal, track="Research", now=timezone.now()
            )
        raise Conflict

    headers = {"Idempotency-Key": "k-1"}
    with mock.patch(
        "dialogue.api.conversations.create_conversation", side_effect=keep_and_refuse
    ):
        refused = client.post(ACME, BODY, format="json", headers=headers)
    assert refused.status_code == 409
    assert [row.track for row in Conversation.objects.all()] == ["Research"]
    assert not IdempotencyRecord.objects.exists()


@pytest.mark.parametrize("key", ["", "x" * 121, "a\tb", "é"])
def test_a_bad_key(client: APIClient, key: str) -> None:
    answer = client.post(ACME, BODY, format="json", headers={"Idempotency-Key": key})
    assert answer.status_code == 400
    assert answer.json()["errors"][0]["attr"] == "Idempotency-Key"
    assert not Conversation.objects.exists()


def test_keys_of_two_people_do_not_meet(client: APIClient, member: Someone) -> None:
    other = client_of(make_member("acme", "operator"))
    headers = {"Idempotency-Key": "k-1"}
    client.post(ACME, BODY, format="json", headers=headers)
    answer = other.post(ACME, {"track": "Research"}, format="json", headers=headers)
    assert answer.status_code == 201


def test_in_flight_and_stale(member: Someone) -> None:
    now = timezone.now()
    who = member.principal
    taken = take_key(principal=who, key="k", body_hash="a" * 64, now=now)
    assert isinstance(taken, TakenKey)
    with pytest.raises(KeyInUse):
        take_key(principal=who, key="k", body_hash="a" * 64, now=now + STALE_AFTER / 2)
    with pytest.raises(KeyReused):
        take_key(principal=who, key="k", body_hash="b" * 64, now=now)
    later = now + STALE_AFTER
    taken_over = take_key(principal=who, key="k", body_hash="a" * 64, now=later)
    assert isinstance(taken_over, TakenKey)
    answer = StoredAnswer(201, '{"id": 1}', {})
    with pytest.raises(KeyInUse):
        store_answer(taken=taken, answer=answer)
    give_up_key(taken=taken)
    store_answer(taken=taken_over, answer=answer)
    assert take_key(principal=who, key="k", body_hash="a" * 64, now=later) == answer


def test_answers_are_forgotten_after_a_day(member: Someone) -> None:
    now = timezone.now()
    take_key(principal=member.principal, key="k", body_hash="a" * 64, now=now)
    assert forget_keys(now=now + dt.timedelta(hours=23)) == 0
    assert forget_keys(now=now + dt.timedelta(hours=25)) == 1


@pytest.mark.django_db(transaction=True)
def test_twenty_at_once_make_one_row(member: Someone) -> None:
    secret = make_token(member, last_used_at=timezone.now())[1]
    barrier = threading.Barrier(20)

    def send(_index: int) -> tuple[int, bytes]:
        client = APIClient()
        client.credentials(HTTP_AUTHORIZATION=f"Bearer {secret}")
        barrier.wait(timeout=30)
        try:
            answer = client.post(
                ACME, BODY, format="json", headers={"Idempotency-Key": "k-1"}
            )
            return answer.status_code, answer.content
        finally:
            connection.close()

    with ThreadPoolExecutor(max_workers=20) as pool:
        answers = list(pool.map(send, range(20)))
    assert Conversation.objects.count() == 1
    assert {status for status, _body in answers} <= {201, 409}
    assert len({body for status, body in answers if status == 201}) == 1
