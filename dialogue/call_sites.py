"""The purposes for which dialogue calls a model."""

from __future__ import annotations

from tooling.llm.call_sites import CallSite, register_call_site

GENERAL = register_call_site(CallSite("Dialogue:GeneralDialogue"))
# A turn that continues from tool results: the model now works on Missions.
MISSION = register_call_site(CallSite("Dialogue:MissionAssistant"))
