from __future__ import annotations

import uuid
from io import StringIO

import pytest
import time_machine
from django.core.management import CommandError, call_command

from decisions.models import AttentionRequest, Resolution
from tests.decisions.support import APPROVE, LATER, REJECT
from tests.missions.support import Scene
from tooling.models import AuditEntry


def run(request_id: object, email: str, option: str, **more: object) -> str:
    out = StringIO()
    with time_machine.travel(LATER):
        call_command(
            "decide", str(request_id), email=email, option=option, stdout=out, **more
        )
    return out.getvalue()


@pytest.mark.promise("D66")
def test_a_named_person_decides_with_an_audit_row(
    scene: Scene, request_: AttentionRequest
) -> None:
    said = run(request_.pk, "OLA@acme.test", APPROVE, note="From the shell.")
    assert said.startswith("won: Approve and create on revision 1")
    resolution = Resolution.objects.get()
    assert (resolution.way, resolution.note) == ("command", "From the shell.")
    assert resolution.decided_by_id == scene.operator.user_id
    entry = AuditEntry.objects.get(action="request.decided")
    assert (entry.actor_kind, entry.actor_id) == ("command", scene.operator.user_id)
    assert run(request_.pk, "ola@acme.test", APPROVE).startswith("same:")


@pytest.mark.promise("D66", "D78")
@pytest.mark.parametrize(
    ("email", "option", "code"),
    [
        ("mia@acme.test", APPROVE, "not_allowed"),
        ("vic@acme.test", APPROVE, "not_allowed"),
        ("sam@acme-other.test", APPROVE, "not_found"),
        ("nobody@acme.test", APPROVE, "not_found"),
        ("ola@acme.test", "approve", "invalid_option"),
        ("ola@acme.test", "Request changes", "note_required"),
    ],
)
def test_it_refuses_as_every_other_way_does(
    scene: Scene, request_: AttentionRequest, email: str, option: str, code: str
) -> None:
    with pytest.raises(CommandError, match=code):
        run(request_.pk, email, option)
    assert not Resolution.objects.exists()


@pytest.mark.promise("A12")
def test_it_may_say_what_was_read(scene: Scene, request_: AttentionRequest) -> None:
    with pytest.raises(CommandError, match="content_changed"):
        run(request_.pk, "ola@acme.test", REJECT, payload_hash="0" * 64)
    with pytest.raises(CommandError, match="not_found"):
        run(uuid.uuid4(), "ola@acme.test", REJECT)
