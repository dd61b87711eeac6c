from __future__ import annotations

import datetime as dt
import functools
from collections.abc import Callable
from typing import Any

import pytest
from django.db import DatabaseError, IntegrityError, connection, transaction
from django.db.models import ProtectedError

from decisions.models import AttentionRequest, LateDecision, RequestState, Resolution
from tests.decisions.support import LATER, REJECT, choose
from tests.missions.support import NOW, Scene, user_of
from tooling import append_only


def refused(change: Callable[[], Any]) -> None:
    """Run a change that the database must refuse."""
    with pytest.raises(DatabaseError), transaction.atomic():
        change()


def raw(statement: str, *values: Any) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)


@pytest.fixture
def decided(scene: Scene, request_: AttentionRequest) -> AttentionRequest:
    """A rejected request."""
    choose(request_, scene.operator, REJECT)
    request_.refresh_from_db()
    return request_


@pytest.mark.lesson("H-04", "H-05")
@pytest.mark.parametrize(
    "changes",
    [
        {"state": "open", "resolved_option": "", "resolved_by": None},
        {"resolved_option": "Approve and create"},
        {"state": "expired"},
        {"expires_at": NOW},
        {"title": "Another"},
    ],
)
def test_a_decided_row_never_changes(
    decided: AttentionRequest, changes: dict[str, Any]
) -> None:
    if "resolved_by" in changes:
        changes = {**changes, "resolved_at": None}
    rows = AttentionRequest.objects.filter(pk=decided.pk)
    refused(lambda: rows.update(**changes))
    stored = AttentionRequest.objects.get(pk=decided.pk)
    assert (stored.state, stored.resolved_option) == ("resolved", REJECT)


@pytest.mark.lesson("H-09", "H-10")
@pytest.mark.parametrize(
    "changes",
    [
        {"payload": {"mission": {"title": "Other"}}},
        {"payload_hash": "0" * 64},
        {"options": ["Approve and create"]},
        {"revision": 9},
        {"title": "Another"},
        {"kind": "Question"},
        {"subject": "other"},
        {"origin_conversation": None},
    ],
)
def test_the_content_of_an_open_row_never_changes(
    request_: AttentionRequest, changes: dict[str, Any]
) -> None:
    refused(lambda: AttentionRequest.objects.filter(pk=request_.pk).update(**changes))


@pytest.mark.promise("D78")
@pytest.mark.parametrize("option", ["", "Approve", "yes", "approve and create"])
def test_the_database_knows_three_options_alone(
    scene: Scene, request_: AttentionRequest, option: str
) -> None:
    refused(
        lambda: AttentionRequest.objects.filter(pk=request_.pk).update(
            state="resolved",
            resolved_option=option,
            resolved_by_id=scene.operator.user_id,
            resolved_at=LATER,
        )
    )


@pytest.mark.lesson("H-04")
@pytest.mark.parametrize(
    "missing", ["resolved_option", "resolved_by_id", "resolved_at"]
)
def test_resolved_is_whole_or_not_at_all(
    scene: Scene, request_: AttentionRequest, missing: str
) -> None:
    whole = {
        "state": RequestState.RESOLVED,
        "resolved_option": REJECT,
        "resolved_by_id": scene.operator.user_id,
        "resolved_at": LATER,
    }
    partial = {**whole, missing: "" if missing == "resolved_option" else None}
    refused(lambda: AttentionRequest.objects.filter(pk=request_.pk).update(**partial))
    refused(lambda: AttentionRequest.objects.update(resolved_at=LATER))
    refused(lambda: AttentionRequest.objects.update(state="approved"))


def test_rows_stay(decided: AttentionRequest, scene: Scene) -> None:
    with pytest.raises((ProtectedError, DatabaseError)), transaction.atomic():
        decided.delete()
    for model in (Resolution, LateDecision):
        LateDecision.objects.get_or_create(
            request=decided,
            option=REJECT,
            decided_by_id=scene.operator.user_id,
            defaults={"created_at": NOW},
        )
        row = model.objects.get()
        refused(row.delete)
        refused(functools.partial(row.save, update_fields=["note"]))
    for statement in (
        "DELETE FROM decisions_attentionrequest",
        "DELETE FROM decisions_resolution",
        "DELETE FROM decisions_latedecision",
        "UPDATE decisions_resolution SET note = 'x'",
        "UPDATE decisions_latedecision SET note = 'x'",
    ):
        refused(functools.partial(raw, statement))


@pytest.mark.promise("D83", "A10")
def test_one_resolution_for_each_request(
    scene: Scene, decided: AttentionRequest
) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        Resolution.objects.create(
            request=decided,
            option="Approve and create",
            decided_by=user_of(scene.operator),
            way="session",
            revision=1,
            payload_hash=decided.payload_hash,
        )
    assert Resolution.objects.get().option == REJECT


@pytest.mark.promise("A9")
@pytest.mark.lesson("H-13")
def test_one_live_revision_for_each_proposal(request_: AttentionRequest) -> None:
    fields = {
        name: getattr(request_, name)
        for name in (
            *("tenant_id", "kind", "subject", "proposal_id", "title", "payload"),
            *("options", "requested_by_id", "origin_conversation", "origin_message"),
        )
    }
    with pytest.raises(IntegrityError), transaction.atomic():
        AttentionRequest.objects.create(
            **fields, revision=2, payload_hash="1" * 64, maker_kind="human"
        )


@pytest.mark.promise("D33")
def test_a_models_request_has_an_origin(request_: AttentionRequest) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        AttentionRequest.objects.create(
            tenant_id=request_.tenant_id,
            kind="Approval",
            subject="mission",
            title="From nowhere",
            payload={},
            payload_hash="2" * 64,
            maker_kind="model",
            requested_by_id=request_.requested_by_id,
            expires_at=NOW + dt.timedelta(days=1),
        )


def test_every_guard_of_the_queue_is_there(db: None) -> None:
    tables = {
        "decisions_attentionrequest",
        "decisions_resolution",
        "decisions_latedecision",
    }
    wanted = {
        name
        for guard in append_only.registered()
        if guard.table in tables
        for name in append_only.trigger_names(guard)
    }
    assert len(wanted) >= 6
    assert wanted <= append_only.installed()
