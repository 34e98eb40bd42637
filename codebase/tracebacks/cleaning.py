"""The lines of a log without what is around them: colours, HTML, and what a logger puts before each line."""

from __future__ import annotations

import html
import re
from typing import Final

MAX_CHARACTERS: Final = 1_000_000
"""Of a longer log the end is read, where the last error is."""
LINE_CHARACTERS: Final = 2_000
"""The rest of a longer line is not read."""

COLOURS: Final = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
COPY: Final = re.compile(r"<textarea[^>]{0,200}id=\"traceback_area\"[^>]{0,200}>")
"""Where Django's error page has its traceback as text."""
CURLY: Final = re.compile("File [\u201c\u201d\u201e]")
STRAIGHT: Final = str.maketrans("\u201c\u201d\u201e\u2018\u2019", '"""\'\'')
TAG: Final = re.compile(r"<(?:script|style)\b[^>]*>|</?[a-zA-Z][^<>]{0,1000}>|<!--")
BLOCK: Final = re.compile(r"</?(?:p|div|li|ul|ol|tr|table|h\d|pre|br|section|summary)\b", re.IGNORECASE)
DIGIT: Final = re.compile(r"\d")
BEFORE: Final = re.compile(
    r"(?:"
    r"[\w.\-]{1,60}\s{1,20}\| "  # docker compose: `web-1  | `
    r"|\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+\-]\d\d:?\d\d)?\]? (?:std(?:out|err) [FP] )?"
    r"|[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \S{1,100} \S{1,100}: "  # syslog
    r"|\[?\d\d:\d\d:\d\d(?:[.,]\d{1,9})?\]? "
    r"|\d\d:\d\d\.\d{3} {1,4}[\w.]{1,60} {1,20}\| "  # Blender 5
    r"|[ ]{0,20}[|+](?:[+\-]{1,60}(?: \d+ -+)?)?(?: |$)"  # groups of exceptions
    r")"
)


def lines_of(text: str) -> tuple[list[str], int]:
    """The lines of a log, and how many characters at its beginning are left out."""
    left_out = max(0, len(text) - MAX_CHARACTERS)
    text = COLOURS.sub("", text[left_out:]).replace("\r\n", "\n").replace("\r", "\n").replace("\t", "    ")
    text = as_printed(text.replace("\xa0", " "))
    if "Traceback (most recent call last):\\n" in text or "\\n    at " in text:
        text = "\n".join(map(unescaped, text.split("\n")))
    if "<" in text and ("</" in text or "&quot;" in text):
        text = without_html(text)
    return [line[:LINE_CHARACTERS].rstrip() for line in text.split("\n")], left_out


def as_printed(text: str) -> str:
    """A log as it was printed: syslog writes line breaks its own way, mail and pages write quotes theirs."""
    if "Traceback (most recent call last):#012" in text:
        text = text.replace("#012", "\n")
    if CURLY.search(text):
        text = text.translate(STRAIGHT)
    if "File &quot;" in text and "<" not in text.replace("&lt;", ""):
        text = html.unescape(text)
    return text


def unescaped(line: str) -> str:
    """A line of JSON with the line breaks that are written in it."""
    if "\\n" not in line or not ("Traceback (most recent" in line or "\\n    at " in line):
        return line
    if 'File "' in line and '\\"' not in line:
        return line.replace("\\n", "\n").replace("\\\\", "\\")
    # A quote that is not escaped is the end of a string, and so of its last line.
    parts = line.replace('\\"', "\0").split('"')
    return "\n".join(parts).replace("\0", '"').replace("\\n", "\n").replace("\\\\", "\\")


def without_html(text: str) -> str:
    """The text of an error page, or what stands around it and in it if it was cut."""
    found = COPY.search(text)
    if found:
        inner, _, _ = text[found.end() :].partition("</textarea>")
        return html.unescape(inner)
    if not re.search(r"<(?:html|body|div|ul|li|pre|table)\b", text, re.IGNORECASE):
        return text
    return html.unescape(TAG.sub(lambda tag: "\n" if BLOCK.match(tag[0]) else "", text))


def unprefixed(line: str) -> str:
    """A line without what loggers are known to put before it."""
    for _ in range(3):
        found = BEFORE.match(line)
        if not found:
            return line
        line = line[found.end() :]
    return line


def without(prefix: str, line: str) -> str:
    """A line without a prefix that may have other digits here, such as the time; the line itself if it has none."""
    start = line[: len(prefix)]
    if start == prefix or (prefix.strip() and DIGIT.sub("0", start) == DIGIT.sub("0", prefix)):
        return line[len(prefix) :]
    if prefix.strip() and not line.strip(" |"):
        return ""
    return unprefixed(line)
