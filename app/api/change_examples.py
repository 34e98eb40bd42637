"""The examples of the documentation of `/changes`."""

from __future__ import annotations

from typing import Any, Final

from app.api.repository_examples import COMMIT

CHANGE_ID: Final = "c-0123456789abcdef"
PATCH: Final = """\
diff --git a/shop.py b/shop.py
--- a/shop.py
+++ b/shop.py
@@ -1,2 +1,4 @@
 def price(count):
+    if count < 0:
+        raise ValueError(count)
     return 2 * count
"""
REQUESTS: Final[list[dict[str, Any]]] = [
    {"request": "price(-1) must raise ValueError", "tests": ["test_negative"]},
    {"kind": "edit", "request": "write the docstrings as sentences", "place": "shop.py"},
    {"kind": "port", "blenders": ["5.0", "4.2"], "with_model": True},
]
PLAN: Final[dict[str, Any]] = {
    "kind": "fix",
    "goal": "Refuse counts below zero",
    "steps": [{"do": "raise ValueError", "why": "a count is never negative", "place": "shop.py:1-2"}],
    "files": ["shop.py", "test_negative.py"],
}
EVIDENCE: Final[dict[str, Any]] = {
    "mended": ["test_negative.N.test_negative"],
    "broken": [],
    "flaky": [],
    "reached": ["test_shop.py"],
    "lint": [],
    "types": [],
    "missing": [],
    "runs": [
        {"of": "before", "said": "1 passed", "failures": [], "seconds": 0.31},
        {"of": "after", "said": "2 passed", "failures": [], "seconds": 0.33},
    ],
}
ATTEMPT: Final[dict[str, Any]] = {
    "number": 1,
    "patch": PATCH,
    "evidence": EVIDENCE,
    "review": {"meets": True, "concerns": []},
    "problem": "",
}
CHANGE_QUEUED: Final[dict[str, Any]] = {
    "kind": "change",
    "request": "price(-1) must raise ValueError",
    "tests": [],
    "place": "",
    "blenders": [],
    "with_model": False,
    "on_branch": True,
    "id": CHANGE_ID,
    "repository": "my-addon",
    "created_at": "2026-11-26T12:00:00.000+00:00",
    "status": "queued",
    "commit": None,
    "plan": None,
    "attempts": [],
    "edits": [],
    "report": None,
    "patch": "",
    "branch": None,
    "model": "",
    "tokens_in": 0,
    "tokens_out": 0,
    "seconds": 0.0,
    "note": "",
    "events": [],
}
CHANGE: Final[dict[str, Any]] = {
    **CHANGE_QUEUED,
    "status": "accepted",
    "commit": COMMIT,
    "plan": PLAN,
    "attempts": [ATTEMPT],
    "patch": PATCH,
    "branch": f"blendproof/{CHANGE_ID}",
    "model": "ollama (some-coder:14b)",
    "tokens_in": 2310,
    "tokens_out": 425,
    "seconds": 10.4,
    "events": [
        {"number": 1, "at": "2026-11-26T12:00:00.100+00:00", "kind": "stage", "text": "planning"},
        {"number": 2, "at": "2026-11-26T12:00:10.500+00:00", "kind": "ended", "text": "accepted"},
    ],
}
CHANGE_SUMMARY: Final[dict[str, Any]] = {
    "id": CHANGE_ID,
    "repository": "my-addon",
    "kind": "change",
    "title": "price(-1) must raise ValueError",
    "status": "accepted",
    "branch": f"blendproof/{CHANGE_ID}",
    "created_at": "2026-11-26T12:00:00.000+00:00",
}
CHANGE_EVENTS: Final = (
    'id: 1\nevent: stage\ndata: {"at": "2026-11-26T12:00:00.100+00:00", "text": "planning"}\n\n'
    'id: 2\nevent: ended\ndata: {"at": "2026-11-26T12:00:10.500+00:00", "text": "accepted"}\n\n'
)
