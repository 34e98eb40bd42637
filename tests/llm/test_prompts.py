"""The prompts: every variable must be given and no other, and a text has one identity."""

from __future__ import annotations

from typing import get_args

import pytest

from app.llm.prompts import Prompt, PromptName, PromptVariables, prompt

TEXT = "version = 3\nsystem = 'Be short.'\nuser = 'Say $word to $name for $$5.'\n"


def test_variables_are_strict() -> None:
    one = Prompt("critic", TEXT)
    filled = one.fill(word="hello", name="$nobody")
    assert (filled.system, filled.user) == ("Be short.", "Say hello to $nobody for $5.")
    for wrong, said in (({"word": "x"}, "missing name"), ({"word": "x", "name": "y", "tone": "z"}, "unknown tone")):
        with pytest.raises(PromptVariables, match=said):
            one.fill(**wrong)
    with pytest.raises(PromptVariables, match="begins no variable"):
        Prompt("critic", TEXT.replace("$$5", "$5"))


def test_another_text_has_another_identity() -> None:
    first, second = Prompt("critic", TEXT), Prompt("critic", TEXT.replace("short", "brief"))
    assert first.identity.startswith("critic 3 (")
    assert first.identity == Prompt("critic", TEXT).identity != second.identity


def test_a_weak_model_gets_its_own_role_if_there_is_one() -> None:
    own = Prompt("critic", TEXT, "version = 2\nsystem = 'Plan, then be short.'\n")
    assert own.fill(word="a", name="b").system == "Plan, then be short."
    assert own.fill(word="a", name="b").user == Prompt("critic", TEXT).fill(word="a", name="b").user
    assert own.identity.startswith("critic 3 small 2 (")
    for name in ("drafter", "healer"):
        assert len(prompt(name, small=True).system) < len(prompt(name).system)
        assert prompt(name, small=True).system.partition(".")[0] == prompt(name).system.partition(".")[0]
    assert prompt("critic", small=True).identity == prompt("critic").identity


VERSIONS: dict[PromptName, int] = {
    "drafter": 4, "healer": 4, "critic": 3, "acceptance": 3, "arbiter": 1,
    "asker": 1, "editor": 2, "explainer": 2, "planner": 1, "patcher": 2, "reviewer": 1,
    "ranker": 1, "porter": 3,
}  # fmt: skip


@pytest.mark.parametrize("name", get_args(PromptName))
def test_the_packaged_prompts_are_sound(name: PromptName) -> None:
    assert prompt(name).identity.startswith(f"{name} {VERSIONS[name]} (")
    with pytest.raises(PromptVariables, match="missing"):
        prompt(name).fill()
