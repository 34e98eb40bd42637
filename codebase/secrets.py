"""Files that usually hold secrets: they are never sent to a model, whatever is asked."""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import Final

NAMES: Final = re.compile(
    r"\.env(\..+)?|.+\.env|\.netrc|\.npmrc|\.pypirc|\.htpasswd|\.pgpass|id_(rsa|dsa|ecdsa|ed25519)|"
    r".+\.(pem|key|p12|pfx|jks|keystore|kdbx)|credentials(\..+)?|secrets?(\.(ya?ml|json|toml|ini|txt|env))?",
    re.IGNORECASE,
)
EXAMPLES: Final = re.compile(r"\.env\.(example|sample|template|dist)", re.IGNORECASE)


def is_secret(path: str) -> bool:
    """Whether a file of this name usually holds secrets."""
    name = PurePosixPath(path).name
    return bool(NAMES.fullmatch(name)) and not EXAMPLES.fullmatch(name)
