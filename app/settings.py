"""Every setting of the service, read once at start from the environment (`BLENDPROOF_*`) and passed down.

A wrong value stops the service with the name of the variable, what was seen and what to write.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, SecretStr, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from app.errors import SettingsInvalid
from ingest.export import PACKAGED

CHECKOUT = Path(__file__).resolve().parents[1]
LOOPBACK = ("127.0.0.1", "localhost", "::1")


def default_home() -> Path:
    """`.blendproof` in a checkout; the user's data folder for an installed package."""
    if (CHECKOUT / "pyproject.toml").exists():
        return CHECKOUT / ".blendproof"
    return Path(os.environ.get("XDG_DATA_HOME", Path.home() / ".local" / "share")) / "blendproof"


def an_executable(path: Path | None) -> Path | None:
    if path is not None and not (path.is_file() and os.access(path, os.X_OK)):
        raise ValueError(f"{path} is no program that can be started; give the path of a blender executable")
    return path


def a_file(path: Path | None) -> Path | None:
    if path is not None and not path.is_file():
        raise ValueError(f"{path} is no file")
    return path


def a_header_value(token: SecretStr | None) -> SecretStr | None:
    if token is not None and not (token.get_secret_value().isascii() and token.get_secret_value().isprintable()):
        raise ValueError("a token is made of printable ASCII characters")
    if token is not None and token.get_secret_value() != token.get_secret_value().strip():
        raise ValueError("a token does not begin or end with a space")
    return token


class Settings(BaseSettings):
    """The settings. Each field is read from `BLENDPROOF_<FIELD>`."""

    model_config = SettingsConfigDict(env_prefix="BLENDPROOF_", env_ignore_empty=True, use_attribute_docstrings=True)

    home: Path = Field(default_factory=default_home)
    """Folder that holds the Blenders, the stubs, the index and, unless `data` says otherwise, the data."""

    data: Path | None = None
    """Folder of the runs and artifacts; `<home>/data` unless given."""

    blender: Annotated[Path | None, AfterValidator(an_executable)] = None
    """A `blender` executable to use instead of the `bpy` wheel."""

    embedding_model: str = PACKAGED
    """Sentence-transformers model that the index is made with: the packaged one, a hub name, or a path."""

    cross_encoder: str | None = None
    """Cross-encoder that puts the first hits of a search in a better order: a hub name or a path; none unless given."""

    clip_model: str = "ViT-B-32"
    """Architecture of the CLIP model by which pictures are searched, as open_clip names it."""

    clip_weights: str | None = None
    """Weights of that model: the name of pretrained ones, `hf-hub:` and a repository, or a file; none unless given."""

    withheld: Annotated[Path | None, AfterValidator(a_file)] = None
    """File of requests whose artifacts the drafter is never shown; the tasks in `bench` of a checkout unless given."""

    failed_run_days: float = Field(default=30.0, gt=0)
    """Days after which runs that proved nothing are forgotten; artifacts and the runs that made them are kept."""

    max_archive_bytes: int = Field(default=4 << 30, ge=1024)
    """Largest archive of artifacts that is imported, in bytes."""

    host: str = "127.0.0.1"
    """Address the service listens on."""

    port: int = Field(default=8484, ge=0, le=65535)
    """Port the service listens on; 0 takes a free one."""

    token: Annotated[SecretStr | None, AfterValidator(a_header_value)] = None
    """Bearer token every request must carry; none unless given."""

    parallel_runs: int = Field(default=2, ge=1, le=64)
    """Runs that are worked on at the same time; the others wait."""

    waiting_runs: int = Field(default=32, ge=1)
    """Runs that may wait; one more is refused with 503."""

    max_body_bytes: int = Field(default=24 << 20, ge=1024)
    """Largest request body, in bytes."""

    max_run_s: float = Field(default=120.0, gt=0)
    """Longest time a request may ask for one Blender process, in seconds."""

    warm_checkers: int = Field(default=2, ge=0, le=32)
    """Pyright processes kept warm (0.4 to 1 GiB each, two for a Blender series); 0 keeps no checker warm."""

    memory_mib: int = Field(default=3072, ge=512)
    """Memory one Blender process may use, in MiB."""

    sandbox: Literal["auto", "unsafe"] = "auto"
    """`auto` runs snippets only where files and network are out of their reach; `unsafe` runs them without that too."""

    @property
    def data_folder(self) -> Path:
        """The folder of the runs and artifacts."""
        return self.data or self.home / "data"

    @property
    def index_folder(self) -> Path:
        """The folder of the index that searches read and ingests write."""
        return self.home / "index"

    @property
    def gallery_folder(self) -> Path:
        """The folder of the index of the artifacts, which is made from them."""
        return self.data_folder / "gallery"

    @property
    def plain_token(self) -> str | None:
        """The token itself, to send or to compare; never to be shown."""
        return self.token.get_secret_value() if self.token else None

    @property
    def on_loopback(self) -> bool:
        """Whether only this machine can reach the service."""
        return self.host in LOOPBACK


def read_settings() -> Settings:
    """The settings as the environment gives them; raises SettingsInvalid naming every wrong variable."""
    try:
        return Settings()  # pyright: ignore[reportCallIssue]
    except ValidationError as error:
        wrong = [
            f"BLENDPROOF_{'_'.join(str(part) for part in item['loc']).upper()}={item['input']!r}: {item['msg']}"
            for item in error.errors()
        ]
        raise SettingsInvalid("; ".join(wrong)) from error


def http_address(host: str, port: int) -> str:
    """The address of a service, with an IPv6 host in brackets."""
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
