"""The limits of the values of settings: each function answers the value, or raises ValueError with what to write."""

from __future__ import annotations

import contextlib
import ipaddress
import os
import re
from pathlib import Path
from typing import Final

from pydantic import SecretStr

HOST_NAME: Final = re.compile(r"[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?(\.[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?)*")


def a_host(host: str) -> str:
    with contextlib.suppress(ValueError):
        return str(ipaddress.ip_address(host))
    if not HOST_NAME.fullmatch(host):
        raise ValueError("write an address or a name alone, such as 127.0.0.1; the port has a setting of its own")
    return host


def a_folder(path: Path | None) -> Path | None:
    if path is not None and path.exists() and not path.is_dir():
        raise ValueError("there is a file of that name; write the path of a folder, which is made if missing")
    return path


def a_name_or_path(name: str | None) -> str | None:
    if name is not None and name.startswith((".", os.sep)) and not Path(name).exists():
        raise ValueError("nothing exists at that path; write an existing path, or a name")
    return name


def an_executable(path: Path | None) -> Path | None:
    if path is not None and not (path.is_file() and os.access(path, os.X_OK)):
        raise ValueError("it is not an executable program; write the path of a blender executable")
    return path


def a_file(path: Path | None) -> Path | None:
    if path is not None and not path.is_file():
        raise ValueError("there is no such file; write the path of a file, or unset the setting")
    return path


def no_folder(path: Path | None) -> Path | None:
    if path is not None and path.is_dir():
        raise ValueError("that is a folder; write the path of a file")
    return path


def an_address(address: str | None) -> str | None:
    if address is None:
        return None
    host, _, port = address.rpartition(":")
    if not (port.isascii() and port.isdigit() and 0 < int(port) < 65536):
        raise ValueError("write host and port, such as 10.0.0.1:6379")
    return f"{a_host(host)}:{int(port)}"


def parts(given: object) -> object:
    """The paths in a variable of the environment."""
    return [part for part in given.split(os.pathsep) if part] if isinstance(given, str) else given


def words(given: object) -> object:
    """The words in a variable of the environment."""
    return given.split() if isinstance(given, str) else given


def real_folders(paths: list[Path]) -> list[Path]:
    try:
        return [Path(os.path.abspath(a_folder(path.expanduser()) or path)) for path in paths]  # noqa: PTH100
    except RuntimeError as error:
        raise ValueError("there is no such user; write whole paths, from / on") from error


def beginnings(urls: list[str]) -> list[str]:
    for url in urls:
        if not re.fullmatch(r"https?://[^\s/@?#]+/([^\s@?#]*/)?", url):
            raise ValueError("write the beginning of an address, up to and with a slash, such as https://github.com/")
    return urls


def a_header_value(token: SecretStr | None) -> SecretStr | None:
    if token is not None and not (token.get_secret_value().isascii() and token.get_secret_value().isprintable()):
        raise ValueError("a token is made of printable ASCII characters")
    if token is not None and token.get_secret_value() != token.get_secret_value().strip():
        raise ValueError("a token does not begin or end with a space")
    return token


def a_database(address: SecretStr | None) -> SecretStr | None:
    if address is not None and not address.get_secret_value().startswith(("postgresql://", "postgres://")):
        raise ValueError("write an address such as postgresql://user:password@host/name")
    return address


def a_file_of_tokens(path: Path | None) -> Path | None:
    callers_in(a_file(path))
    return path


def a_receiver(address: str | None) -> str | None:
    if address is not None and not re.fullmatch(r"https?://[^\s/@?#]+(/[^\s@?#]*)?", address):
        raise ValueError("write an address such as http://127.0.0.1:4318; OTEL_EXPORTER_OTLP_HEADERS has credentials")
    return address


def a_shelf(address: str | None) -> str | None:
    if address is not None and not re.fullmatch(r"(s3://|file:///)[^\s@?#/][^\s@?#]*", address):
        raise ValueError(
            "write an address such as s3://bucket/folder or file:///folder; credentials have variables of their own"
        )
    return address


def callers_in(path: Path | None) -> dict[str, str]:
    """The tokens in a file, by the names of their callers. Raises ValueError, which names the line."""
    found: dict[str, str] = {}
    for number, line in enumerate(map(str.strip, path.read_text(encoding="utf-8").splitlines()) if path else [], 1):
        if not line or line.startswith("#"):
            continue
        name, _, token = line.partition(" ")
        if not re.fullmatch(r"[A-Za-z0-9._-]{1,60}", name) or not re.fullmatch(r"[!-~]{16,}", token.strip()):
            raise ValueError(f"line {number}: write a name, a space and a token of at least 16 characters")
        if name in found or token.strip() in found.values():
            raise ValueError(f"line {number}: this name or this token is there already")
        found[name] = token.strip()
    return found
