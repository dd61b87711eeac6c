"""The event stream in the OpenAPI description: it is no view of the REST library."""

from __future__ import annotations

from typing import Any

_PATH = "/api/v1/t/{tenant}/conversations/{conversation_id}/events"
_ERROR = {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}


def describe_stream(result: dict[str, Any], **_generator: Any) -> dict[str, Any]:
    """Add the stream's operation to a finished description."""
    text = {"type": "string"}
    result["paths"][_PATH] = {
        "get": {
            "operationId": "conversation_events",
            "summary": "Follow a conversation as server-sent events",
            "description": (
                "Replays the journal and goes on live. Each event's data is one line "
                "of JSON; its id resumes after it."
            ),
            "tags": ["conversations"],
            "security": [{"personalToken": []}, {"session": []}],
            "parameters": [
                _part("conversation_id", {"type": "string", "format": "uuid"}),
                _part("tenant", text),
                {
                    "in": "header",
                    "name": "Last-Event-ID",
                    "schema": text,
                    "description": (
                        "The last id that was read; one that is none of ours is "
                        "passed over."
                    ),
                },
                {
                    "in": "query",
                    "name": "last_event_id",
                    "schema": text,
                    "description": "The same, for clients that cannot send headers.",
                },
                {
                    "in": "query",
                    "name": "after",
                    "schema": {"type": "string", "enum": ["now"]},
                    "description": "`now`: only what is new.",
                },
            ],
            "responses": {
                "200": {
                    "description": "Events, until either side ends the stream.",
                    "content": {"text/event-stream": {"schema": text}},
                },
                "default": {"description": "An error.", "content": _ERROR},
            },
        }
    }
    result["paths"] = dict(sorted(result["paths"].items()))
    return result


def _part(name: str, schema: dict[str, Any]) -> dict[str, Any]:
    return {"in": "path", "name": name, "schema": schema, "required": True}
