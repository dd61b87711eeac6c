"""What a decision page says followed an approval, also in the moment it follows."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from decisions.models import AttentionRequest
from missions.models import Mission
from missions.services.aftermath import aftermaths_of
from missions.services.materialising import materialise

pytestmark = pytest.mark.django_db


@pytest.mark.promise("A11")
def test_a_mission_made_between_two_reads_is_not_shown_as_blocked(
    approved: AttentionRequest,
) -> None:
    reads: list[str] = []

    def interleave(
        execute: Any, sql: str, params: Any, many: bool, context: Any
    ) -> Any:
        if sql.startswith("SELECT") and "missions_" in sql:
            reads.append(sql)
            if len(reads) == 2:
                materialise(request_id=approved.pk, now=timezone.now())
        return execute(sql, params, many, context)

    with connection.execute_wrapper(interleave):
        after = aftermaths_of([approved])[approved.pk]
    assert len(reads) >= 2, "what followed was not read in two statements"
    assert Mission.objects.filter(source_request=approved).exists()
    assert after.state == "waiting" or after.links, after.text
