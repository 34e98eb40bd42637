"""Reads the answers of models, which rarely hold only the wanted part.

    answer ─> without reasoning ─┬─> code: the fenced block with the snippet, or everything if nothing is fenced
                                 └─> a JSON object, checked against a model of pydantic

An unusable answer raises AnswerUnusable with a message that can be sent back to the model.
"""

from __future__ import annotations

import json
import re
import symtable
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from pydantic import BaseModel, ValidationError

REASONING: Final = re.compile(r"<(think|thinking|reasoning|thought)>", re.IGNORECASE)
REASONING_OPEN: Final = re.compile(r"<(think|thinking|reasoning|thought)>.*\Z", re.DOTALL | re.IGNORECASE)
REASONING_ENDS: Final = re.compile(r"\A.*</(?:think|thinking|reasoning|thought)>", re.DOTALL | re.IGNORECASE)
FENCE: Final = re.compile(
    r"^(?P<indent>[ \t]*+)(?P<marks>`{3,}+|~{3,}+)[ \t]*+(?P<language>[\w+#.-]*+)[^\n`]*+$", re.MULTILINE
)
"""Nothing is taken back, so that a long line costs one look."""
OPENING: Final = re.compile(r"[\[{]")
PROSE: Final = re.compile(r"[A-Z*#>-][^=]*\s\S+\s\S+")
PYTHON: Final = frozenset({"python", "py", "python3", "bpy"})
CUT: Final = "length"

Form = TypeVar("Form", bound=BaseModel)


class AnswerUnusable(Exception):
    """An answer has another form than was asked for; the message can be sent to the model."""


@dataclass(frozen=True)
class FencedBlock:
    """One fenced block; `closed` is false if the answer ends inside it."""

    language: str
    text: str
    closed: bool
    start: int
    """The place of its opening marks in the answer."""


@dataclass(frozen=True)
class CodeAnswer:
    """The snippet in an answer, or the problem with the answer, which can be sent to the model."""

    code: str = ""
    form: str = "whole"
    """The form in which it came: `whole`, `a diff` or `a unit`."""
    problem: str = ""
    disputed: str = ""
    """The reason why nothing is wrong with the snippet, if that is the answer."""


def without_reasoning(text: str) -> str:
    """The answer itself. Some servers leave out the opening mark of the reasoning; cut-off reasoning is not closed."""
    text = without_closed_reasoning(text.replace("\r\n", "\n"))
    text = REASONING_ENDS.sub("", text)
    return REASONING_OPEN.sub("", text).strip("\n")


def without_closed_reasoning(text: str) -> str:
    """The answer without each reasoning that has both its marks, in one pass over a text of any length."""
    kept, position, searched = list[str](), 0, 0
    unclosed = set[str]()
    while opening := REASONING.search(text, searched):
        searched = opening.end()
        name = opening[1].lower()
        if name in unclosed:
            continue
        closing = re.compile(f"</{name}>", re.IGNORECASE).search(text, searched)
        if closing is None:
            unclosed.add(name)
            continue
        kept.append(text[position : opening.start()])
        position = searched = closing.end()
    return "".join([*kept, text[position:]])


def blocks_of(text: str) -> list[FencedBlock]:
    """The fenced blocks, in order. A fence is closed by at least as many marks of its kind, with nothing after them."""
    found: list[FencedBlock] = []
    position = 0
    while opening := FENCE.search(text, position):
        marks = opening["marks"]
        closing = re.compile(rf"^[ \t]*{re.escape(marks[0])}{{{len(marks)},}}[ \t]*$", re.MULTILINE)
        end = closing.search(text, opening.end())
        inner = text[opening.end() + 1 : end.start() if end else len(text)]
        # In a list, fence and lines are indented alike; the lines lose up to that indentation.
        if indent := opening["indent"]:
            inner = re.sub(rf"^[ \t]{{0,{len(indent)}}}", "", inner, flags=re.MULTILINE)
        found.append(FencedBlock(opening["language"].lower(), inner, end is not None, opening.start()))
        position = end.end() if end else len(text)
    return found


def code_answer(answer: str, finish: str) -> CodeAnswer:
    """The same as `read_code`, as a value."""
    try:
        return CodeAnswer(read_code(answer, finish))
    except AnswerUnusable as problem:
        return CodeAnswer(problem=str(problem))


def read_code(answer: str, finish: str) -> str:
    """The snippet in an answer, ending in a newline. Raises AnswerUnusable if the answer is empty, cut or has none."""
    text = without_reasoning(answer)
    if not text.strip():
        raise AnswerUnusable("the answer was empty")
    blocks = [block for block in blocks_of(text) if block.text.strip()]
    if any(not block.closed for block in blocks) and finish == CUT:
        raise AnswerUnusable("the answer was cut off before the end of the snippet; write a shorter one")
    unlabelled = [block for block in blocks if block.language in ("", "text", "code")]
    whole = {block.text for block in blocks if is_python(block.text) and "import" in block.text}
    python = [one for one in blocks if one.language in PYTHON or (one in unlabelled and one.text in whole)]
    if candidates := [block.text for block in python or unlabelled]:
        # Of several blocks, the last whole one is the model's final version, unless it is only an excerpt; if none is
        # whole, the longest counts.
        longest = max(candidates, key=len)
        final = [code for code in candidates if code in whole and 2 * len(code) >= len(longest)]
        return tidy(final[-1] if final else longest)
    if blocks:
        raise AnswerUnusable(f"the answer held no Python, but {blocks[0].language}")
    if finish == CUT:
        raise AnswerUnusable("the answer was cut off before the end of the snippet; write a shorter one")
    bare = without_prose(text)
    if bare is None:
        raise AnswerUnusable("the answer held no Python snippet")
    return tidy(bare)


def without_prose(text: str) -> str | None:
    """The Python in an answer without fences: from the line that begins a script to the last that belongs to it."""
    lines = text.split("\n")
    starts = (index for index, line in enumerate(lines) if re.match(r"(import|from)\s+\w|\"\"\"|#!", line))
    first = next(starts, None)
    if first is None:
        return None
    # A snippet with a mistake stays whole: the checks explain the mistake better. Only prose is cut off.
    ends = (
        index for index in range(first + 1, len(lines)) if PROSE.match(lines[index]) and not is_python(lines[index])
    )
    for last in ends:
        code = "\n".join(lines[first:last])
        if is_python(code):
            return code
    return "\n".join(lines[first:])


def is_python(code: str) -> bool:
    """True if it parses."""
    try:
        symtable.symtable(code, "<answer>", "exec")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def tidy(code: str) -> str:
    """The code with one newline at its end and no byte order mark."""
    return code.removeprefix("\ufeff").strip("\n") + "\n"


def read_json(answer: str, form: type[Form]) -> Form:
    """The JSON object in an answer, in the form of a pydantic model; raises AnswerUnusable with the fault."""
    text = without_reasoning(answer)
    if not text.strip():
        raise AnswerUnusable("the answer was empty")
    problem = "the answer held no JSON object"
    for candidate in [block.text for block in blocks_of(text)] + objects_in(text):
        try:
            return form.model_validate_json(candidate.strip())
        except ValidationError as error:
            problem = "; ".join(
                f"{'.'.join(str(part) for part in item['loc']) or 'the answer'}: {item['msg']}"
                for item in error.errors()[:5]
            )
    raise AnswerUnusable(problem)


def objects_in(text: str) -> list[str]:
    """The JSON objects and lists in a text, the longest first."""
    decoder, found, position = json.JSONDecoder(), list[str](), 0
    while opening := OPENING.search(text, position):
        start = opening.start()
        try:
            _value, end = decode(decoder, text, start)
        except RecursionError:
            # No answer is nested so deep, and each of its openings would be followed as deep again.
            break
        except ValueError:
            position = start + 1
            continue
        found.append(text[start:end])
        position = end
    return sorted(found, key=len, reverse=True)


def decode(decoder: json.JSONDecoder, text: str, start: int) -> tuple[Any, int]:
    """The JSON value that begins at `start`, and where it ends."""
    return decoder.raw_decode(text, start)
