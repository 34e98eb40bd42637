"""Reads the output of web frameworks and browsers around tracebacks: failed requests, the line of a template."""

from __future__ import annotations

import re
from typing import Final

from codebase.tracebacks.cleaning import strip_prefix
from codebase.tracebacks.error import Error, Frame, Request, slashes

PHRASES: Final = {
    "Internal Server Error": 500,
    "Bad Request": 400,
    "Unauthorized": 401,
    "Forbidden": 403,
    "Not Found": 404,
    "Method Not Allowed": 405,
    "Service Unavailable": 503,
}
DJANGO: Final = re.compile(
    rf"({'|'.join(PHRASES)})(?: \((?P<why>[^()]{{0,200}}(?:\([^()]{{0,100}}\))?[^()]{{0,50}})\))?"
    r": (?P<path>/\S{0,500})$"
)
ACCESS: Final = re.compile(r'"(?P<method>[A-Z]{3,7}) (?P<path>\S{1,500}) HTTP/[\d.]+"?,? (?P<status>[45]\d\d)\b')
CONSOLE: Final = re.compile(
    r"(?P<method>[A-Z]{3,7}) (?P<path>https?://\S{1,500}|/\S{0,500}) (?:net::\S+ )?(?P<status>[45]\d\d) ?\("
)
FAILED: Final = re.compile(
    r"(?P<path>(?:https?://|:\d|/)\S{0,500}?):\d+ +Failed to load resource: .{0,60}status of (?P<status>[45]\d\d)"
)
SENT: Final = re.compile(
    r"(?:XHR)? ?(?P<method>GET|POST|PUT|PATCH|DELETE) ?(?P<path>https?://\S{1,500})(?: (?P<answer>\[HTTP/.*))?$"
)
ANSWER: Final = re.compile(r"\[HTTP/[\d.]+ (?P<status>\d\d\d)\b")
"""The status of an answer as Firefox prints it, behind the request or below it."""
HTMX: Final = re.compile(r"Response Status Error Code (?P<status>\d{3}) from (?P<path>\S{1,500})")
METHOD: Final = re.compile(r"Request Method: (?P<method>[A-Z]+)$")
ADDRESS: Final = re.compile(r"Request URL: (?P<path>\S+)$")
TYPE_AT: Final = re.compile(r"Exception Type: (?P<type>[\w.]+)(?: at (?P<path>/\S*))?$")
TYPE_SHORT: Final = re.compile(r"(?P<type>\w+) at (?P<path>/\S*)$")
VALUE: Final = re.compile(r"Exception Value: (?P<message>.+)$")
LOCATION: Final = re.compile(
    r"Exception Location: (?P<path>[^,]{1,500}),"
    r"(?: line (?P<line>\d+), in (?P<function>\S+)| in (?P<old>\S+),? line (?P<number>\d+))"
)
TEMPLATE: Final = re.compile(r"In template (?P<path>[^,]{1,500}), error at line (?P<line>\d{1,9})")
SOURCE: Final = re.compile(r"(?P<line>\d{1,9}) ?: ?(?P<code>.*)$")
EVENT: Final = re.compile(r"\b(?P<type>htmx:\w*[eE]rror)\b:?\s?(?P<message>.{0,300})")


class WebReader:
    """Takes the lines of a log one by one into `requests`, `events`, `template`, `exception` and `place`."""

    def __init__(self) -> None:
        self.requests: list[Request] = []
        self.events: list[Error] = []
        self.template: Frame | None = None
        self.exception: dict[str, str] = {}
        self.place: Frame | None = None
        self._method = ""
        self._sent: re.Match[str] | None = None

    def feed(self, number: int, line: str) -> None:
        """Read a line of the log; `number` counts from 1."""
        text = strip_prefix(line).strip()
        if not text:
            return
        self._request(number, text)
        self._page(number, text)
        self._template(text)
        event = EVENT.search(text) if "htmx:" in text else None
        if event:
            self.events.append(Error(event["type"], event["message"].strip(), (), number, language="javascript"))

    def _request(self, number: int, text: str) -> None:
        django = DJANGO.search(text) if ": /" in text else None
        if django:
            method = django["why"] if django[1] == "Method Not Allowed" else ""
            self._add("" if method is None else method, django["path"], PHRASES[django[1]], text, number)
            return
        for form in (ACCESS, CONSOLE, FAILED, HTMX):
            match = form.search(text)
            if match:
                method = match.groupdict().get("method") or ""
                self._add(method, match["path"], int(match["status"]), text, number)
                return
        self._firefox_answer(number, text)

    def _firefox_answer(self, number: int, text: str) -> None:
        """Add a failed request that Firefox prints, with its answer."""
        sent = SENT.match(text) if "http" in text else None
        answer = ANSWER.match((sent["answer"] or "") if sent else text)
        of = sent or self._sent
        if answer and of and int(answer["status"]) >= 400:
            self._add(of["method"], of["path"], int(answer["status"]), text, number)
        self._sent = None if answer else sent

    def _page(self, number: int, text: str) -> None:
        """Note the facts of Django's error page."""
        method, address = METHOD.match(text), ADDRESS.match(text)
        if method:
            self._method = method["method"]
        elif address:
            self._add(self._method, address["path"], 500, text, number)
        named = TYPE_AT.match(text) or (TYPE_SHORT.match(text) if not self.exception else None)
        if named:
            self.exception["type"] = named["type"]
        value = VALUE.match(text)
        if value:
            self.exception["message"] = value["message"]
        place = LOCATION.match(text)
        if place:
            line, function = place["line"] or place["number"], place["function"] or place["old"]
            self.place = Frame(slashes(place["path"]), int(line), function.rpartition(".")[2])

    def _template(self, text: str) -> None:
        """Note the line of a template, then the source lines that are printed below it."""
        match = TEMPLATE.search(text)
        if match:
            self.template = Frame(slashes(match["path"]), int(match["line"]), language="template")
        elif self.template is not None and not self.template.code:
            source = SOURCE.match(text)
            if source and int(source["line"]) == self.template.line:
                path, line, code = self.template.path, self.template.line, source["code"].strip()
                self.template = Frame(path, line, "", (code,) if code else (), language="template")

    def _add(self, method: str, path: str, status: int, says: str, number: int) -> None:
        place = path_of(path)
        if not any(
            (request.path, request.status) == (place, status) and method in ("", request.method)
            for request in self.requests
        ):
            self.requests.append(Request(method, place, status, says[:300], number))


def path_of(address: str) -> str:
    """The path of an address, without host and query."""
    address = re.sub(r"^(?:https?://[^/\s]*|:\d+(?=/))", "", address).partition("?")[0].partition("#")[0]
    return address or "/"
