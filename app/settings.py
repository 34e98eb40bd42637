"""Every setting of the service, read once at start and passed down: from the environment (`BLENDPROOF_*`), then from
`blendproof.toml` in the current folder.

A wrong value stops the service with the name of the setting, what was seen and what to write.
"""

from __future__ import annotations

import os
import tomllib
from pathlib import Path
from typing import Annotated, Final, Literal

from pydantic import AfterValidator, Field, HttpUrl, SecretStr, ValidationError, model_validator
from pydantic_core import ErrorDetails
from pydantic_settings import (
    BaseSettings,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    SettingsError,
    TomlConfigSettingsSource,
)

from app.errors import SettingsInvalid
from app.llm.budget import Budget
from app.llm.providers import IN_TURN, Provider, ProviderName, ProviderSettings, a_plain_key, ready
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

    model_config = SettingsConfigDict(
        env_prefix="BLENDPROOF_", env_ignore_empty=True, use_attribute_docstrings=True, protected_namespaces=()
    )

    home: Path = Field(default_factory=default_home)
    """Folder that holds the Blenders, the stubs, the index and, unless `data` says otherwise, the data."""

    data: Path | None = None
    """Folder of the runs and artifacts; `<home>/data` unless given."""

    blender: Annotated[Path | None, AfterValidator(an_executable)] = None
    """A `blender` executable to use instead of the `bpy` wheel."""

    find_blenders: bool = True
    """Whether requests may name `blender` executables that are on the PATH or in the usual places."""

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

    warm_workers: int = Field(default=2, ge=0, le=64)
    """Executions that find a warm Blender at the same time (120 MiB each); 0 starts Blenders for each execution."""

    warm_checkers: int = Field(default=2, ge=0, le=32)
    """Pyright processes kept warm (0.4 to 1 GiB each, two for a Blender series); 0 keeps no checker warm."""

    memory_mib: int = Field(default=3072, ge=512)
    """Memory one Blender process may use, in MiB."""

    sandbox: Literal["auto", "unsafe"] = "auto"
    """`auto` runs snippets only where files and network are out of their reach; `unsafe` runs them without that too."""

    model_provider: Literal[
        "auto", "off", "vllm", "lmstudio", "ollama", "custom", "openrouter", "openai", "scripted"
    ] = "auto"
    """Where models are asked: `off`; `auto`, which tries every provider of blendproof.toml, local ones first; or one of
    `vllm`, `lmstudio`, `ollama`, `custom`, `openrouter`, `openai`, `scripted` (docs/models.md)."""

    model_name: str | None = None
    """The model at that one provider; for several, and for prices and limits, see docs/models.md."""

    model_url: HttpUrl | None = None
    """Base address of that provider, where it is not the usual one."""

    model_key: Annotated[SecretStr | None, AfterValidator(a_plain_key)] = None
    """Key for that provider."""

    model_context: int | None = Field(default=None, ge=2048)
    """Tokens that question and answer may have together; 16384 unless given."""

    model_images: bool | None = None
    """Whether the model takes pictures, so that the critic may see the render; no unless given."""

    model_script: Path | None = None
    """The file of written answers that `scripted` replays."""

    model_critic: bool = True
    """Whether a model also judges what a model wrote."""

    model_run_tokens: int = Field(default=200_000, ge=1)
    """Tokens that the models may use for one run, questions and answers together."""

    model_run_s: float = Field(default=900.0, gt=0)
    """Seconds that one run may wait for models in all."""

    model_run_cost: float | None = Field(default=None, gt=0)
    """US dollars that the models may cost for one run, by the prices that are set; any unless given."""

    providers: dict[ProviderName, ProviderSettings] = {}
    """Tables of blendproof.toml, one a provider; see docs/models.md."""

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """What a caller gives, then the environment, then the file."""
        return init_settings, env_settings, TomlConfigSettingsSource(settings_cls, settings_file())

    @model_validator(mode="after")
    def _providers_are_ready(self) -> Settings:
        self.model_providers()
        return self

    def model_providers(self) -> list[Provider]:
        """The providers to ask, in the order in which they are tried; raises ValueError where one is not ready."""
        if self.model_provider == "off":
            return []
        given = {
            name: value
            for name in ("name", "url", "key", "context", "images", "script")
            if (value := getattr(self, f"model_{name}")) is not None
        }
        if self.model_provider == "auto":
            if given:
                said = ", ".join(f"BLENDPROOF_MODEL_{name.upper()}" for name in given)
                raise ValueError(f"model_provider: say which provider is meant by {said}")
            wanted: dict[ProviderName, ProviderSettings] = {
                name: self.providers[name] for name in IN_TURN if name in self.providers
            }
        else:
            table = self.providers.get(self.model_provider, ProviderSettings())
            if "name" in given:
                given["model"] = given.pop("name")
            wanted = {self.model_provider: table.model_copy(update=given)}
        found: list[Provider] = []
        for name, settings in wanted.items():
            try:
                found.append(ready(name, settings))
            except ValueError as error:
                raise ValueError(f"providers.{name}: {error}") from None
        return found

    @property
    def model_budget(self) -> Budget:
        """What the models may use for one run."""
        return Budget(self.model_run_tokens, self.model_run_s, self.model_run_cost)

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
        raise SettingsInvalid("; ".join(what_is_wrong(item) for item in error.errors())) from None
    except SettingsError as error:
        raise SettingsInvalid(str(error)) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as error:
        raise SettingsInvalid(f"{settings_file()}: {error}", "Mend the file or remove it.") from None


SECRET: Final = frozenset({"key", "token", "model_key"})


def what_is_wrong(item: ErrorDetails) -> str:
    """One wrong setting: its name, what was seen where that is no secret, and what to write."""
    message = item["msg"].removeprefix("Value error, ")
    place = [str(part) for part in item["loc"]]
    if not place:
        return message
    known = len(place) == 1 and place[0] in Settings.model_fields
    name = f"BLENDPROOF_{place[0].upper()}" if known else ".".join(place)
    seen: object = item["input"]
    # What stands under an unknown name may be a key whose name was misspelt.
    secret = place[-1] in SECRET or item["type"] == "extra_forbidden"
    shown = f"={seen!r}" if isinstance(seen, (str, int, float)) and not secret else ""
    return f"{name}{shown}: {message}"


def settings_file() -> Path:
    """The file of settings: `BLENDPROOF_CONFIG`, else `blendproof.toml` in the current folder; it may be missing."""
    return Path(os.environ.get("BLENDPROOF_CONFIG") or "blendproof.toml")


def http_address(host: str, port: int) -> str:
    """The address of a service, with an IPv6 host in brackets."""
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
