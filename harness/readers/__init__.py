"""Reads the text of strangers in processes that can be lost: one fork per text, with limits.

    service ── function, arguments (pickled) ──> host ── fork ──> reader: limits, jail; function(*arguments)
            <──────────────────── the result as JSON ─────────────────┘ ends

The host only imports and forks; it never looks into a text. A reader's answer is data: JSON, read back into the type
that the function declares.
"""

from harness.readers.readers import Readers, ReadingFailed, read_by, read_shared, shared

__all__ = ["Readers", "ReadingFailed", "read_by", "read_shared", "shared"]
