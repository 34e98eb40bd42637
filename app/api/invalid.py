"""Explains a malformed request: the mistake, its place, and the value to send instead.

The document of the interface (OpenAPI) has the type, the limits and the choices of each place of a request.
"""

from __future__ import annotations

import difflib
import json
from collections.abc import Mapping, Sequence
from typing import Any, Final, cast

from app.errors import InvalidRequest

Schema = Mapping[str, Any]

MOST_PROBLEMS: Final = 20
SHOWN: Final = 60
MESSAGE_LENGTH: Final = 2000
TYPES: Final = {"integer": "a whole number", "number": "a number", "boolean": "true or false", "null": "null"}


def invalid_request(
    errors: Sequence[Mapping[str, Any]], body: object, openapi: Schema, path: str, method: str
) -> InvalidRequest:
    """The error for a caller. `errors` are those of pydantic, `openapi` the document; `path` and `method` the route."""
    if errors and errors[0]["type"] == "json_invalid":
        return broken_json(errors[0], body if isinstance(body, str) else "")
    operation: Schema = openapi.get("paths", {}).get(path, {}).get(method.lower(), {})
    problems, hints = list[str](), list[str]()
    for error in errors[:MOST_PROBLEMS]:
        schema = schema_at(error["loc"], operation, openapi)
        problem, hint = explain(error, schema, openapi)
        place = ".".join(map(str, error["loc"]))
        problems.append(f"{place}: {problem}")
        hints.append(hint)
    first = next(filter(None, hints), None)
    return InvalidRequest("; ".join(problems)[:MESSAGE_LENGTH], first, {"problems": problems})


def broken_json(error: Mapping[str, Any], text: str) -> InvalidRequest:
    """The error for a body that is not JSON, with the line and the column of the mistake."""
    at = next((part for part in error["loc"] if isinstance(part, int)), 0)
    line, column = text.count("\n", 0, at) + 1, at - (text.rfind("\n", 0, at) + 1) + 1
    near = text[max(0, at - SHOWN // 2) : at + SHOWN // 2].splitlines()
    said = str(error.get("ctx", {}).get("error", "it is not JSON"))
    message = f"body: this is not JSON: line {line}, column {column}: {said}"
    hint = (
        'Send one JSON object, such as {"snippet": "import bpy\\n"}: names and texts in double quotes, no comma after '
        "the last field, line breaks within texts as \\n."
    )
    shown = " ".join(near)[:SHOWN]
    return InvalidRequest(f"{message}, near {json.dumps(shown)}" if shown else message, hint)


def explain(error: Mapping[str, Any], schema: Schema, openapi: Schema) -> tuple[str, str]:
    """The mistake at the place of an error, and the value to send. `schema` is of the place, or of its object."""
    kind, name = error["type"], str(error["loc"][-1]) if error["loc"] else "body"
    said = str(error["msg"]).removeprefix("Value error, ")
    if kind == "extra_forbidden":
        known = sorted(fields_of(schema, openapi))
        near = difflib.get_close_matches(name, known, 1, 0.6)
        guess = f"did you mean `{near[0]}`? " if near else ""
        return f"there is no such field; {guess}There are: {', '.join(known)}".replace("; There", ". There"), (
            f"Send it as `{near[0]}`." if near else "Leave it out, or use one of the fields that there are."
        )
    if kind == "missing":
        return "this field is missing", f"Add `{name}`: {expectation(schema, openapi)}."
    return f"{said}{input_note(error)}", f"Send {expectation(schema, openapi)} as `{name}`." if schema else ""


def input_note(error: Mapping[str, Any]) -> str:
    """The value that was sent, if it is short; the length of a longer text or list."""
    value = error.get("input")
    if isinstance(value, str | list) and error["type"].endswith("too_long"):
        many: int = len(value)  # pyright: ignore[reportUnknownArgumentType] - any list
        return f"; it has {many}"
    if isinstance(value, dict | list) or value is None or error["type"] in ("value_error", "missing"):
        return ""
    shown = json.dumps(value, default=str)
    return f", not {shown}" if len(shown) <= SHOWN else ""


def expectation(schema: Schema, openapi: Schema) -> str:
    """The values that a schema takes, in words, with its limits."""
    schema = follow_references(schema, openapi)
    for several in ("anyOf", "oneOf"):
        if several in schema:
            kinds = [expectation(option, openapi) for option in schema[several] if option.get("type") != "null"]
            return " or ".join(dict.fromkeys(kinds))
    if "enum" in schema or "const" in schema:
        return "one of " + ", ".join(json.dumps(value) for value in schema.get("enum", [schema.get("const")]))
    kind = schema.get("type")
    if kind == "string" and "base64" in (schema.get("contentEncoding"), schema.get("format")):
        return "bytes in base64"
    if kind == "string":
        return "text" + span(schema, "minLength", "maxLength", "characters")
    if kind == "array":
        return f"a list of {expectation(schema.get('items', {}), openapi)}" + span(
            schema, "minItems", "maxItems", "entries"
        )
    if kind == "object" and schema.get("properties"):
        return f"an object with the fields {', '.join(schema['properties'])}"
    if kind in ("integer", "number"):
        return TYPES[kind] + span(schema, "minimum", "maximum", "")
    return TYPES.get(str(kind), "an object" if kind == "object" else "a value")


def span(schema: Schema, least: str, most: str, unit: str) -> str:
    """`, 1 to 64 characters`; empty without limits."""
    low, high = schema.get(least), schema.get(most)
    if low is None and high is None:
        return ""
    if low is None or high is None:
        limits = f"at most {high:.10g}" if low is None else f"at least {low:.10g}"
    else:
        limits = f"{low:.10g} to {high:.10g}"
    return f", {limits} {unit}".rstrip()


def schema_at(place: Sequence[str | int], operation: Schema, openapi: Schema) -> Schema:
    """The schema of a place in a request; of the object that holds it, if it has no such field."""
    if not place or place[0] != "body":
        parameters: list[Schema] = operation.get("parameters", []) if place else []
        named = [parameter for parameter in parameters if parameter["name"] == place[-1]]
        of_parameter: Schema = named[0]["schema"] if named else {}
        return of_parameter
    body: Schema = operation.get("requestBody", {})
    contents: dict[str, Schema] = body.get("content", {})
    schema: Schema = next(iter(contents.values()), cast("Schema", {})).get("schema", {})
    for part in place[1:]:
        options = alternatives(schema, openapi)
        tagged = [option for option in options if part in tags(option)]
        inner = [option["properties"][part] for option in options if part in option.get("properties", {})]
        items = [option["items"] for option in options if isinstance(part, int) and "items" in option]
        fitting: list[Schema] = [*tagged, *inner, *items]
        schema = fitting[0] if fitting else schema
    return schema


def alternatives(schema: Schema, openapi: Schema) -> list[Schema]:
    """The schemas that a schema stands for, references followed."""
    schema = follow_references(schema, openapi)
    several = [*schema.get("anyOf", []), *schema.get("oneOf", [])]
    return [option for each in several for option in alternatives(each, openapi)] if several else [schema]


def tags(schema: Schema) -> list[Any]:
    """The constants in a schema, by which one of several is chosen."""
    return [field["const"] for field in schema.get("properties", {}).values() if "const" in field]


def fields_of(schema: Schema, openapi: Schema) -> set[str]:
    return {name for option in alternatives(schema, openapi) for name in option.get("properties", {})}


def follow_references(schema: Schema, openapi: Schema) -> Schema:
    """The schema that a reference leads to."""
    while "$ref" in schema:
        target: Any = openapi
        for part in schema["$ref"].removeprefix("#/").split("/"):
            target = target[part]
        schema = target
    return schema
