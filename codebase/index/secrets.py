"""Files that hold keys and passwords, which are never read: no search finds them, and no model is shown them."""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import Final

SECRET_NAME: Final = re.compile(
    r"\.env(rc)?|\.env\.(?!(example|sample|template|dist|defaults)$).+|[^/]+\.env"
    r"|id_(rsa|dsa|ecdsa|ed25519)|[^/]+\.(pem|key|p12|pfx|jks|keystore|kdbx|ppk|asc|gpg|tfvars|tfstate|ovpn)"
    r"|\.(netrc|npmrc|pypirc|pgpass|git-credentials|htpasswd|dockercfg|my\.cnf|vault_pass)|_netrc"
    r"|(client_?)?(secrets?|credentials?|passwords?)(\.(json|ya?ml|toml|ini|cfg|conf|txt|xml|properties|env))?"
    r"|service[-_]?account[^/]*\.json|[^/]+[-_]credentials\.json",
    re.IGNORECASE,
)
PLAIN_NAMES: Final = frozenset({"secret", "secrets", "password", "passwords", "credential"})
"""Without an ending these are mostly programs or folders of programs; `credentials` is a file of keys."""
SECRET_FOLDERS: Final = frozenset({".ssh", ".aws", ".gnupg", ".azure", ".kube", ".gcloud"})
PRIVATE_KEY: Final = re.compile(r"-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----")
REASON: Final = "may hold keys or passwords"
KEY_REASON: Final = "holds a private key"


def is_secret(path: str) -> bool:
    """True if the path of a file says that it holds keys or passwords."""
    parts = PurePosixPath(path).parts
    if SECRET_FOLDERS & set(parts[:-1]):
        return True
    return parts[-1] not in PLAIN_NAMES and SECRET_NAME.fullmatch(parts[-1]) is not None


def holds_key(text: str) -> bool:
    """True if a text contains a private key."""
    return PRIVATE_KEY.search(text) is not None
