"""What is said of a malformed request: the place, what is wrong there, and what to send instead."""

from __future__ import annotations

from typing import Any

import httpx2
import pytest

from tests.api.error_bodies import assert_error

JSON = {"Content-Type": "application/json"}

BODIES: list[tuple[dict[str, Any], str, str]] = [
    ({"snipet": "1"}, "body.snippet: this field is missing", "Add `snippet`: text, 1 to "),
    (
        {"snippet": "1", "arguements": []},
        "body.arguements: there is no such field; did you mean `arguments`? There are: accept, arguments, blender",
        "Send it as `arguments`.",
    ),
    (
        {"snippet": "1", "zzz": 1},
        "body.zzz: there is no such field. There are: accept",
        "Leave it out, or use one of the fields that there are.",
    ),
    (
        {"snippet": "1", "render": {"size": 4000}},
        "body.render.size: Input should be less than or equal to 1024, not 4000",
        "Send a whole number, 32 to 1024 as `size`.",
    ),
    (
        {"snippet": "1", "render": {"sise": 64}},
        "body.render.sise: there is no such field; did you mean `size`? There are: engine",
        "Send it as `size`.",
    ),
    (
        {"snippet": "1", "render": {"engine": "eevee"}},
        "body.render.engine: Input should be 'cycles' or 'workbench', not \"eevee\"",
        'Send one of "cycles", "workbench" as `engine`.',
    ),
    (
        {"snippet": "1", "files": [{"name": "a", "content": "", "mode": 1}]},
        "body.files.0.mode: there is no such field. There are: content, name",
        "Leave it out",
    ),
    (
        {"snippet": "1", "arguments": ["x"] * 51},
        "body.arguments: List should have at most 50 items after validation, not 51; it has 51",
        "Send a list of text, at most 1000 characters, at most 50 entries as `arguments`.",
    ),
    ({"snippet": 5}, "body.snippet: Input should be a valid string, not 5", "Send text, 1 to "),
    (
        {"snippet": "1", "accept": [{"check": "count", "kind": "MESH"}]},
        "body.accept.0.count.kind: there is no such field. There are: added, at_least, at_most, check",
        "Leave it out",
    ),
]


@pytest.mark.parametrize(("body", "message", "hint"), BODIES)
async def test_a_wrong_field_is_told_with_what_to_send(
    body: dict[str, Any], message: str, hint: str, client: httpx2.AsyncClient
) -> None:
    error = assert_error(await client.post("/validate", json=body), 422, "invalid_request")
    assert error["message"].startswith(message), error["message"]
    assert error["hint"].startswith(hint), error["hint"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        # Python 3.13 names the comma, which is before what others did not expect.
        ('{"snippet": "1",}', "body: this is not JSON: line 1, column 1"),
        ('{\n  "snippet": 1\n  "heal": true}', "body: this is not JSON: line 3, column 3: Expecting ',' delimiter"),
        ("{'snippet': 1}", "body: this is not JSON: line 1, column 2: "),
        ('{"snippet": "a\nb"}', "body: this is not JSON: line 1, column 15: Invalid control character"),
    ],
)
async def test_broken_json_is_told_with_line_and_column(text: str, message: str, client: httpx2.AsyncClient) -> None:
    error = assert_error(await client.post("/validate", content=text, headers=JSON), 422, "invalid_request")
    assert error["message"].startswith(message), error["message"]
    assert error["hint"].startswith("Send one JSON object, such as")


async def test_text_that_is_no_utf8_and_a_wrong_query_are_told(client: httpx2.AsyncClient) -> None:
    bytes_ = assert_error(
        await client.post("/validate", content=b'{"snippet": "\xff"}', headers=JSON), 422, "invalid_request"
    )
    query = assert_error(await client.get("/runs?limit=0"), 422, "invalid_request")
    assert bytes_["hint"] == "Send the body as JSON, in UTF-8."
    assert query["hint"] == "Send a whole number, 1 to 200 as `limit`."
