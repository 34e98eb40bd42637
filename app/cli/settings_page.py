"""Writes the documentation of the settings: the lists of docs/settings.md and blendproof.example.toml.

python -m app.cli.settings_page
"""

from __future__ import annotations

import ast
import inspect
import json
import re
import textwrap
from collections.abc import Callable, Mapping
from itertools import pairwise
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Final, Literal, Union, get_args, get_origin

from pydantic import BaseModel, HttpUrl, SecretStr
from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined

from app.llm.providers import IN_TURN, URLS, WITH_KEY, ProviderSettings
from app.settings import CHECKOUT, Settings, variable_of
from python.parsing import parse_python

PAGE: Final = CHECKOUT / "docs" / "settings.md"
EXAMPLE: Final = CHECKOUT / "blendproof.example.toml"
GENERATED: Final = re.compile(r"(<!-- (\w+): written by [^\n]* -->\n\n).*?(\n\n<!-- end -->)", re.DOTALL)
WIDTH: Final = 116
"""Columns of the docs."""
TOP: Final = """\
# Settings of Blendproof. Copy this file to blendproof.toml in the folder where the service starts, and remove the #
# from the settings that you change. The values are the defaults, or examples if there is no default. An environment
# variable overrides the file: BLENDPROOF_PORT overrides port. The file may hold keys: let no other user read it.
"""
EXAMPLES: Final[Mapping[str, str]] = {
    "home": '"/var/lib/blendproof"',
    "data": '"/srv/blendproof"',
    "blender": '"/opt/blender/blender"',
    "cross_encoder": '"/srv/models/cross-encoder"',
    "clip_weights": '"/srv/models/clip.safetensors"',
    "withheld": '"tasks.jsonl"',
    "repository_prompt": '"prompt.txt"',
    "token": '"a long random word"',
    "tokens": '"tokens.txt"',
    "runs_per_minute": "60",
    "cost_per_day": "5.0",
    "database": '"postgresql://blendproof:password@db/blendproof"',
    "artifacts": '"s3://blendproof/artifacts"',
    "cluster": '"10.0.0.1:6379"',
    "cluster_token": '"cluster-token"',
    "tracing": '"http://127.0.0.1:4318"',
    "model_name": '"some-coder:14b"',
    "model_url": '"http://gpu.local:11434/v1"',
    "model_key": '"..."',
    "model_context": "16384",
    "model_images": "false",
    "model_script": '"answers.toml"',
    "model_run_cost": "0.10",
    "model_cache_days": "7",
}
"""Example values for settings without a fixed default."""
PROVIDER_EXAMPLES: Final[Mapping[str, str]] = {
    "model": '"some-coder-32b"',
    "url": '"http://gpu.local:8000/v1"',
    "key": '"..."',
    "replicas": '["http://gpu2.local:8000/v1"]',
    "hedge_after_s": "40.0",
    "requests_at_once": "4",
    "requests_per_minute": "60",
    "script": '"answers.toml"',
}


def settings_list() -> str:
    """Every setting, as a list."""
    return entries_of(Settings, variable_of)


def providers_list() -> str:
    """The entries of a table `[providers.NAME]`, as a list."""
    return entries_of(ProviderSettings, str)


def entries_of(model: type[BaseModel], named: Callable[[str], str]) -> str:
    """The fields of a model with their defaults, their values and their meanings, in lines of the docs."""
    meanings = meanings_of(model)
    return "\n".join(entry_of(named(name), field, meanings[name]) for name, field in model.model_fields.items())


def entry_of(name: str, field: FieldInfo, meaning: str) -> str:
    """A setting with its default, its values and its meaning, in lines of the docs."""
    default = default_of(field)
    text = f"- `{name}`{f' = {default}' if default else ''} ({values_of(field)}): {meaning}"
    return textwrap.fill(text, WIDTH, subsequent_indent="  ", break_on_hyphens=False, break_long_words=False)


def names_table() -> str:
    """The providers with their addresses and required entries, in the order in which they are tried."""
    rows = ["| table | address unless given | must have |", "| --- | --- | --- |"]
    for name in IN_TURN:
        needed = ["script"] if name == "scripted" else ["model"]
        needed += (["url"] if name == "custom" else []) + (["key"] if name in WITH_KEY else [])
        address = "" if name == "scripted" else URLS.get(name, "")
        rows.append(f"| `[providers.{name}]` | {address} | {', '.join(f'`{one}`' for one in needed)} |")
    return "\n".join(rows)


def example() -> str:
    """A blendproof.toml that sets nothing: every setting is there as a comment."""
    parts, meanings = [TOP], meanings_of(Settings)
    for name, field in Settings.model_fields.items():
        if name != "providers":
            parts += [f"# {meanings[name]} ({values_of(field)})", f"# {name} = {shown(name, field, EXAMPLES)}", ""]
    parts += ["# One table per server of models; docs/models.md says more.", "# [providers.vllm]"]
    meanings = meanings_of(ProviderSettings)
    for name, field in ProviderSettings.model_fields.items():
        parts.append(f"# {name} = {shown(name, field, PROVIDER_EXAMPLES)}  # {meanings[name]}")
    return "\n".join(parts) + "\n"


def default_of(field: FieldInfo) -> str:
    """The default; empty if there is none or it is computed."""
    if field.default in (None, PydanticUndefined, {}, []):
        return ""
    return f"`{field.default if isinstance(field.default, str) else as_toml(field.default)}`"


def shown(name: str, field: FieldInfo, examples: Mapping[str, str]) -> str:
    """The value in the example."""
    return examples[name] if name in examples else as_toml(field.default)


def as_toml(value: Any) -> str:
    """A value as TOML writes it; its strings, numbers and booleans are written as those of JSON."""
    return json.dumps(value)


def meanings_of(model: type[BaseModel]) -> dict[str, str]:
    """The text below each field of a model, in one line.

    Read from the source here: the models themselves would read it at each start of each command.
    """
    (written,) = parse_python(inspect.getsource(model)).body
    assert isinstance(written, ast.ClassDef)
    meanings: dict[str, str] = {}
    for field, text in pairwise(written.body):
        match field, text:
            case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str(said))):
                meanings[name] = " ".join(said.split())
            case _:
                pass
    return meanings


def values_of(field: FieldInfo) -> str:
    """The values that a setting takes."""
    bounds = {key: getattr(mark, key) for mark in field.metadata for key in ("ge", "le", "gt") if hasattr(mark, key)}
    words = {"ge": "at least {:g}", "gt": "more than {:g}", "le": "at most {:g}"}
    return ", ".join([kind_of(field.annotation), *(words[key].format(value) for key, value in bounds.items())])


KINDS: Final[Mapping[Any, str]] = {
    bool: "true or false",
    int: "whole number",
    float: "number",
    str: "text",
    Path: "path",
    SecretStr: "secret",
}


def kind_of(annotation: Any) -> str:
    """A type in words."""
    if get_origin(annotation) is Literal:
        return ", ".join(f"`{value}`" for value in get_args(annotation))
    if get_origin(annotation) in (Union, UnionType):
        return " or ".join(kind_of(part) for part in get_args(annotation) if part is not NoneType)
    if get_origin(annotation) is dict:
        return "tables"
    if get_origin(annotation) is list:
        return {Path: "paths", str: "texts", HttpUrl: "addresses"}[get_args(annotation)[0]]
    if hasattr(annotation, "__metadata__"):
        return kind_of(get_args(annotation)[0])
    return KINDS.get(annotation, "address")


def with_tables(page: str) -> str:
    """The page with up-to-date lists and tables."""
    parts = {"settings": settings_list, "providers": names_table, "provider": providers_list}
    return GENERATED.sub(lambda match: f"{match[1]}{parts[match[2]]()}{match[3]}", page)


def main() -> None:
    """Write both files of the checkout."""
    PAGE.write_text(with_tables(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    EXAMPLE.write_text(example(), encoding="utf-8")


if __name__ == "__main__":
    main()
