"""Which model answers, and how to connect one. For staff of the deployment."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST

from tooling.errors import DomainError
from tooling.llm.call_sites import CONNECTION_TEST
from tooling.llm.check import ConnectionReport, check_connection
from tooling.llm.keys import key_is_stated
from tooling.llm.presets import ResolvedPreset, resolve_named, resolve_preset
from tooling.models.llm import BackendKind
from tooling.selectors import find_preset, list_presets, tenant_for_tests_by
from tooling.services.presets import delete_preset, save_preset
from tooling.web.forms import show_error
from tooling.web.preset_form import PresetForm
from tooling.web.tenant import staff_view

if TYPE_CHECKING:
    from tooling.web.tenant import SignedInRequest

# What a service file would hold; the first is a server on the same machine.
EXAMPLES = (
    (
        gettext_lazy("A model server on this machine or beside it"),
        "DIALOGUE_LLM_KIND=sidecar\n"
        "DIALOGUE_LLM_BASE_URL=http://127.0.0.1:8080/v1\n"
        "DIALOGUE_LLM_MODEL=my-model",
    ),
    (
        gettext_lazy("An OpenAI-compatible provider or gateway"),
        "DIALOGUE_LLM_KIND=openai\n"
        "DIALOGUE_LLM_MODEL=model-name\n"
        "DIALOGUE_LLM_API_KEY=…",
    ),
    (
        gettext_lazy("Anthropic"),
        "DIALOGUE_LLM_KIND=anthropic\n"
        "DIALOGUE_LLM_MODEL=model-name\n"
        "DIALOGUE_LLM_API_KEY=…",
    ),
)


@staff_view
@require_http_methods(["GET", "HEAD", "POST"])
def model_setup(
    request: SignedInRequest, preset_id: uuid.UUID | None = None
) -> HttpResponse:
    """Show what answers now, the presets and their form; keep a preset."""
    if preset_id is not None:
        find_preset(preset_id=preset_id)
    form = PresetForm(request.POST or None, preset_id=preset_id)
    if request.method == "POST" and form.is_valid():
        try:
            saved = save_preset(
                staff=request.user,
                preset_id=preset_id,
                values=form.values(),
            )
        except DomainError as error:
            show_error(form, error)
        else:
            messages.success(request, _("The preset %s is saved.") % saved.name)
            return redirect("tooling:model_setup")
    return _page(request, form=form, preset_id=preset_id)


@staff_view
@require_POST
def remove_preset(request: SignedInRequest, preset_id: uuid.UUID) -> HttpResponse:
    """Delete a preset."""
    delete_preset(staff=request.user, preset_id=preset_id)
    messages.success(request, _("The preset is deleted."))
    return redirect("tooling:model_setup")


@staff_view
@require_POST
def test_connection(request: SignedInRequest) -> HttpResponse:
    """Try the named preset, or what answers now; show each step and its fault."""
    name = request.POST.get("preset", "")
    preset = resolve_named(name) if name else _current()[0]
    report = None
    tenant_id = tenant_for_tests_by(user=request.user)
    if preset is not None and tenant_id is not None:
        report = check_connection(preset=preset, tenant_id=tenant_id)
    return _page(request, form=PresetForm(), tested=preset, report=report)


def _current() -> tuple[ResolvedPreset | None, str]:
    """Return what answers conversations now; else None and why nothing does."""
    try:
        return resolve_preset(call_site=CONNECTION_TEST.name), ""
    except DomainError as error:
        return None, str(error)


def _page(
    request: SignedInRequest,
    *,
    form: PresetForm,
    preset_id: uuid.UUID | None = None,
    tested: ResolvedPreset | None = None,
    report: ConnectionReport | None = None,
) -> HttpResponse:
    current, fault = _current()
    rows = [
        {"preset": row, "key_missing": row.key_env and not key_is_stated(row.key_env)}
        for row in list_presets()
    ]
    context = {
        "current": current,
        "current_kind": dict(BackendKind.choices).get(current.kind) if current else "",
        "current_fault": fault,
        "is_planner": current is not None and current.kind == BackendKind.PLANNER,
        "rows": rows,
        "form": form,
        "preset_id": preset_id,
        "examples": EXAMPLES,
        "tested": tested,
        "report": report,
        "tab": "model",
    }
    return render(request, "tooling/model_setup.html", context)
