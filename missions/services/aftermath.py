"""What followed an approval, in words: for the Decisions queue and cards."""

from __future__ import annotations

import uuid

from django.urls import reverse
from django.utils.translation import gettext as _

from decisions.kinds import Aftermath, Link
from decisions.models import AttentionRequest
from missions.models import Materialisation, MaterialisationState, Mission
from missions.services.materialising import Problem, is_approved


def aftermaths_of(requests: list[AttentionRequest]) -> dict[uuid.UUID, Aftermath]:
    """Return what followed each approved request, with two statements at most."""
    approved = [request for request in requests if is_approved(request)]
    if not approved:
        return {}
    # In this order: a Mission that is made between the two statements is then seen,
    # or nothing of it. The other way about its row would be, and not the Mission.
    rows = {
        row.request_id: row
        for row in Materialisation.objects.filter(request__in=approved)
    }
    missions = {
        mission.source_request_id: mission
        for mission in Mission.objects.filter(source_request__in=approved)
    }
    return {
        request.pk: _created(request, missions[request.pk])
        if request.pk in missions
        else _unfinished(rows.get(request.pk))
        for request in approved
    }


def mission_link(request: AttentionRequest, mission: Mission) -> Link:
    """Return the way to a Mission's page in the request's tenant."""
    url = reverse("missions:mission", args=[request.tenant.slug, mission.pk])
    return Link(label=mission.title, url=url, kind="mission")


def _created(request: AttentionRequest, mission: Mission) -> Aftermath:
    return Aftermath(
        state=MaterialisationState.CREATED.value,
        text=_("The Mission was created."),
        links=(mission_link(request, mission),),
    )


def _unfinished(row: Materialisation | None) -> Aftermath:
    if row is None:
        return Aftermath(
            state="waiting",
            text=_("Approved. The Mission is being created."),
            can_retry=True,
        )
    if row.state == MaterialisationState.ERRING:
        return Aftermath(
            state=row.state,
            text=_("The Mission could not be created yet; it is being tried again."),
            advice=_("Attempts so far: %(count)s. Last error: %(error)s.")
            % {"count": row.attempts, "error": row.error_code},
            can_retry=True,
        )
    return Aftermath(
        state=row.state,
        text=_("Blocked: the Mission was not created."),
        advice=blocked_advice(row.error_code),
        can_retry=True,
    )


def blocked_advice(code: str) -> str:
    """Return why an approval is blocked and what a person can do about it."""
    again = _("Ask for the proposal to be raised again, then decide on the new one.")
    reasons: dict[str, str] = {
        Problem.NO_RESOLUTION: _(
            "The row was marked as approved without anybody's decision on record."
        ),
        Problem.CONTENT_CHANGED: _(
            "The content is no longer what was approved: its fingerprint differs."
        ),
        Problem.DRAFT_MISSING: _("The workflow draft of this proposal is gone."),
        Problem.TENANT_DIFFERS: _("Parts of this proposal belong to another team."),
        Problem.PAYLOAD_INVALID: _(
            "The specification does not fit a Mission any more."
        ),
    }
    return f"{reasons.get(code, code)} {again}"
