"""What this app registers with the apps below, once models are loaded."""

from __future__ import annotations

from dialogue.cards import register_card
from dialogue.spawned import register_spawned
from dialogue.turns.hooks import register_blocked_call, register_turn_end
from missions.cards import (
    load_draft_cards,
    load_mission_cards,
    load_suggestion_cards,
    spawned_drafts,
    spawned_missions,
    spawned_suggestions,
    spawned_tasks,
)
from missions.selectors import open_requests, open_suggestions, ready_missions
from missions.services.suggestions import record_blocked_write, record_turn_suggestion
from tooling.waiting import register_waiting


def register_everything() -> None:
    """Register the cards, traces and hooks of this app."""
    register_card(
        "mission", template="missions/cards/mission.html", load=load_mission_cards
    )
    register_card(
        "suggestion",
        template="missions/cards/suggestion.html",
        load=load_suggestion_cards,
    )
    register_card("draft", template="missions/cards/draft.html", load=load_draft_cards)
    register_spawned("missions", spawned_missions)
    register_spawned("tasks", spawned_tasks)
    register_spawned("drafts", spawned_drafts)
    register_spawned("suggestions", spawned_suggestions)
    register_waiting("decisions_open", open_requests)
    register_waiting("missions_ready", ready_missions)
    register_waiting("suggestions_open", open_suggestions)
    register_turn_end(record_turn_suggestion)
    register_blocked_call(record_blocked_write)
