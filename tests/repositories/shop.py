"""A small shop to change, and what a model answers about it."""

from __future__ import annotations

import json

from app.jobs.budget import Budget
from tests.model_server import Reply

SHOP = "def price(count):\n    return 2 * count\n\n\ndef pay(count):\n    return price(count)\n"
RIGHT = "def price(count):\n    if count < 0:\n        raise ValueError(count)\n    return 2 * count\n"
OLD_TEST = (
    "import unittest\n\nimport shop\n\n\nclass T(unittest.TestCase):\n"
    "    def test_pay(self):\n        self.assertEqual(shop.pay(2), 4)\n"
)
NEW_TEST = (
    "import unittest\n\nimport shop\n\n\nclass N(unittest.TestCase):\n    def test_negative(self):\n"
    "        with self.assertRaises(ValueError):\n            shop.price(-1)\n"
)
PLAN = {
    "kind": "fix",
    "goal": "Refuse counts below zero",
    "steps": [{"do": "raise ValueError", "place": "shop.py:1-2"}],
    "files": ["shop.py", "test_negative.py"],
}
BUDGET = Budget(200_000, 100.0, None)
MEETS = '{"meets": true, "concerns": []}'


def unit(body: str, place: str = "shop.py::price") -> str:
    return f"<<BEGIN_UNIT {place}>>\n{body}<<END>>\n"


def file(path: str, body: str) -> str:
    return f"<<BEGIN_FILE {path}>>\n{body}<<END>>\n"


def replies(*patches: str, plan: object = PLAN, review: str = MEETS) -> list[Reply]:
    return [
        Reply(json.dumps(plan), when="You plan changes"),
        *(Reply(patch, when="You change a repository") for patch in patches),
        Reply(review, when="You review a patch", times=9),
    ]


def whole(text: str, path: str = "shop.py") -> str:
    return file(path, text)
