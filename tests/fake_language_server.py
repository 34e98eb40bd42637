"""A language server of a few lines, which does what the snippet's first word says: `hang`, `die`, `flood`, or say it.

Started by tests in place of pyright. `refuse` as the first argument: it ends before it answers anything.
"""

from __future__ import annotations

import json
import sys
import time
from typing import Any


def read() -> dict[str, Any]:
    length = int(sys.stdin.buffer.readline().partition(b":")[2])
    sys.stdin.buffer.readline()
    message: dict[str, Any] = json.loads(sys.stdin.buffer.read(length))
    return message


def send(message: dict[str, Any]) -> None:
    body = json.dumps(message).encode()
    sys.stdout.buffer.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
    sys.stdout.buffer.flush()


def main() -> None:
    if "refuse" in sys.argv:
        sys.exit("refused")
    text = ""
    while True:
        message = read()
        match message.get("method"):
            case "initialize":
                send({"id": 1, "method": "workspace/configuration", "params": {}})
                send({"id": message["id"], "result": {}})
            case "textDocument/didOpen":
                text = message["params"]["textDocument"]["text"]
            case "textDocument/diagnostic":
                answer(message["id"], text)
            case _:
                pass


def answer(number: int, text: str) -> None:
    if text.startswith("hang"):
        time.sleep(600)
    if text.startswith("die"):
        sys.exit("died as told")
    if text.startswith("error"):
        send({"id": number, "error": {"code": -1, "message": "no"}})
        return
    if text.startswith("flood"):
        text = 9 * 1024 * 1024 * "x"
    start = {"line": 0, "character": 0}
    item = {"range": {"start": start, "end": start}, "message": text.strip(), "severity": 1, "code": "reportX"}
    send({"id": number, "result": {"kind": "full", "items": [item, {**item, "severity": 4}]}})


if __name__ == "__main__":
    main()
