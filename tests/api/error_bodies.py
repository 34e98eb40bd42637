"""The shape of every error body."""

from __future__ import annotations

from typing import Any

import httpx2

ERROR_FIELDS = {"code", "message", "hint", "details"}


def assert_error(response: httpx2.Response, status: int, code: str) -> dict[str, Any]:
    body: dict[str, Any] = response.json()
    assert (response.status_code, body.get("code")) == (status, code), response.text
    assert set(body) == ERROR_FIELDS
    assert body["message"] and body["hint"]
    return body
