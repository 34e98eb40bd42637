"""The lines of a log without the text around them: colours, HTML, and the prefix of a logger on each line."""

from __future__ import annotations

import html
import re
from typing import Final

MAX_CHARACTERS: Final = 1_000_000
"""Only the end of a longer log is read, because the last error is there."""
LINE_CHARACTERS: Final = 2_000
"""The rest of a longer line is not read."""

COLOURS: Final = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
COPY: Final = re.compile(r"<textarea[^>]{0,200}id=\"traceback_area\"[^>]{0,200}>")
"""The element of Django's error page that has its traceback as text."""
CURLY: Final = re.compile("File [\u201c\u201d\u201e]")
STRAIGHT: Final = str.maketrans("\u201c\u201d\u201e\u2018\u2019", '"""\'\'')
TAG: Final = re.compile(r"</?[a-zA-Z][^<>]{0,1000}>|<!--")
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
    """The lines of a log, and the number of characters that are left out at its beginning."""
    left_out = max(0, len(text) - MAX_CHARACTERS)
    text = COLOURS.sub("", text[left_out:]).replace("\r\n", "\n").replace("\r", "\n").replace("\t", "    ")
    text = as_printed(text.replace("\xa0", " "))
    if "Traceback (most recent call last):\\n" in text or "\\n    at " in text:
        text = "\n".join(map(unescape, text.split("\n")))
    if "<" in text and ("</" in text or "&quot;" in text):
        text = without_html(text)
    return [line[:LINE_CHARACTERS].rstrip() for line in text.split("\n")], left_out


def as_printed(text: str) -> str:
    """A log as it was printed: syslog escapes line breaks, mail and pages change quotes."""
    if "Traceback (most recent call last):#012" in text:
        text = text.replace("#012", "\n")
    if CURLY.search(text):
        text = text.translate(STRAIGHT)
    if "File &quot;" in text and "<" not in text.replace("&lt;", ""):
        text = html.unescape(text)
    return text


def unescape(line: str) -> str:
    """A line of JSON with its escaped line breaks as real ones."""
    if "\\n" not in line or not ("Traceback (most recent" in line or "\\n    at " in line):
        return line
    if 'File "' in line and '\\"' not in line:
        return line.replace("\\n", "\n").replace("\\\\", "\\")
    # A quote without escape ends a string, and with it the last line of that string.
    parts = line.replace('\\"', "\0").split('"')
    return "\n".join(parts).replace("\0", '"').replace("\\n", "\n").replace("\\\\", "\\")


def without_html(text: str) -> str:
    """The text of an error page, or of a part of it if it was cut."""
    copy = COPY.search(text)
    if copy:
        inner, _, _ = text[copy.end() :].partition("</textarea>")
        return html.unescape(inner)
    if not re.search(r"<(?:html|body|div|ul|li|pre|table)\b", text, re.IGNORECASE):
        return text
    return html.unescape(TAG.sub(lambda tag: "\n" if BLOCK.match(tag[0]) else "", text))


def strip_prefix(line: str) -> str:
    """A line without the prefixes of known loggers."""
    for _ in range(3):
        prefix = BEFORE.match(line)
        if not prefix:
            return line
        line = line[prefix.end() :]
    return line


def without(prefix: str, line: str) -> str:
    """A line without a prefix that may have other digits here, such as the time; the line itself if it has none."""
    start = line[: len(prefix)]
    if start == prefix or (prefix.strip() and DIGIT.sub("0", start) == DIGIT.sub("0", prefix)):
        return line[len(prefix) :]
    if prefix.strip() and not line.strip(" |"):
        return ""
    return strip_prefix(line)
