"""Builds the smallest JSON value that a schema allows, for schema-bound requests."""

from __future__ import annotations

from typing import Any

_DEPTH = 12


def smallest(schema: Any, text: str, root: Any = None, depth: int = 0) -> Any:
    """Return a value that fits `schema`; strings take the person's `text`."""
    root = schema if root is None else root
    if not isinstance(schema, dict) or depth > _DEPTH:
        return None
    if "const" in schema:
        return schema["const"]
    if schema.get("enum"):
        return schema["enum"][0]
    reference = schema.get("$ref")
    if isinstance(reference, str):
        target = root.get("$defs", {}).get(reference.rsplit("/", 1)[-1])
        return smallest(target, text, root, depth + 1)
    for key in ("anyOf", "oneOf", "allOf"):
        if schema.get(key):
            return smallest(schema[key][0], text, root, depth + 1)
    return _by_type(schema, text, root, depth)


def _by_type(schema: dict[str, Any], text: str, root: Any, depth: int) -> Any:
    kind = schema.get("type")
    kind = kind[0] if isinstance(kind, list) and kind else kind
    if kind == "object" or "properties" in schema:
        return {
            name: smallest(part, text, root, depth + 1)
            for name, part in schema.get("properties", {}).items()
            if name in schema.get("required", ())
        }
    if kind == "array":
        size = schema.get("minItems", 0)
        return [smallest(schema.get("items"), text, root, depth + 1)] * min(size, 20)
    if kind == "string":
        words = text[: schema.get("maxLength", 200)]
        return words.ljust(schema.get("minLength", 0), ".")
    if kind in {"integer", "number"}:
        low = schema.get("minimum", schema.get("exclusiveMinimum", -1) + 1)
        return min(low, schema.get("maximum", low))
    return False if kind == "boolean" else None
