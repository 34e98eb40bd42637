"""Reads the answer of a model that rewrote a file, and remembers it, so that an interrupted call can go on.

answer ─> between <<BEGIN_FILE>> and <<END_FILE>>, each once ─> text with the line ends of the file
"""

from __future__ import annotations

import contextlib
import hashlib
import re
import secrets
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from pydantic import BaseModel, ValidationError

from app.llm.answers import CUT, AnswerUnusable
from harness.syntax import parse_python

BEGIN: Final = "<<BEGIN_FILE>>"
END: Final = "<<END_FILE>>"
BOM: Final = "\ufeff"
FENCED: Final = re.compile(r"\A\s*(`{3,})[\w+#.-]*\n(.*)^\1[ \t]*\s*\Z", re.DOTALL | re.MULTILINE)


def text_between(answer: str, finish: str) -> str:
    """The file in an answer, with `\\n` at the end of each line. Raises AnswerUnusable."""
    lines = answer.replace("\r\n", "\n").split("\n")
    begins = [index for index, line in enumerate(lines) if line.strip() == BEGIN]
    ends = [index for index, line in enumerate(lines) if line.strip() == END]
    if finish == CUT:
        raise AnswerUnusable("the answer was cut off before the file was whole")
    if not begins or not ends:
        missing = BEGIN if not begins else END
        raise AnswerUnusable(f"the answer has no line {missing}, so that the file may not be whole")
    if len(begins) > 1 or len(ends) > 1:
        doubled = BEGIN if len(begins) > 1 else END
        raise AnswerUnusable(f"the answer has {doubled} more than once, so that it is not clear what the file is")
    if ends[0] < begins[0]:
        raise AnswerUnusable(f"the answer has {END} before {BEGIN}")
    return "".join(f"{line}\n" for line in lines[begins[0] + 1 : ends[0]])


def like(old: str | None, new: str) -> str:
    """The new text of a file with the line ends and the last newline of the old one; a new file ends with one."""
    plain = new.replace("\r\n", "\n")
    if old and not old.endswith("\n"):
        plain = plain.rstrip("\n")
    elif plain and not plain.endswith("\n"):
        plain += "\n"
    return plain.replace("\n", "\r\n") if old and old.count("\r\n") * 2 > old.count("\n") else plain


def without_fence(old: str | None, new: str) -> str:
    """The new text without a fence around it, unless the old text begins with one."""
    fenced = FENCED.match(new)
    return fenced[2] if fenced and not (old or "").lstrip().startswith("```") else new


def fault_of(text: str) -> str:
    """The reason why a text is not Python; empty if it is."""
    try:
        parse_python(text.removeprefix(BOM))
    except SyntaxError as error:
        return f"line {error.lineno}: {error.msg}"
    except (ValueError, RecursionError, MemoryError) as error:
        return str(error) or type(error).__name__
    return ""


class RememberedEdit(BaseModel):
    """An edit that was made: the SHA-256 of the file before and after it, and its text."""

    path: str
    before: str
    after: str
    text: str
    model: str


@dataclass(frozen=True)
class Journal:
    """The edits of a repository that were made, by their instruction; a damaged one is made again."""

    folder: Path

    def find(self, path: str, instruction: str, identity: str, sha256: str) -> RememberedEdit | None:
        """The edit of this file in its present state, or the edit that led to this state."""
        try:
            edit = RememberedEdit.model_validate_json(self._file(path, instruction, identity).read_bytes())
        except (OSError, ValidationError):
            return None
        return edit if sha256 in (edit.before, edit.after) else None

    def keep(self, instruction: str, identity: str, edit: RememberedEdit) -> None:
        """Remember an edit; if the folder cannot be written, it is just not remembered."""
        file = self._file(edit.path, instruction, identity)
        unfinished = file.with_name(f".{secrets.token_hex(8)}")
        with contextlib.suppress(OSError):
            file.parent.mkdir(parents=True, exist_ok=True)
            unfinished.write_text(edit.model_dump_json())
            unfinished.replace(file)

    def _file(self, path: str, instruction: str, identity: str) -> Path:
        key = hashlib.sha256("\0".join((path, instruction, identity)).encode(errors="surrogateescape"))
        return self.folder / f"{key.hexdigest()[:32]}.json"
