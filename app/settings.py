"""Every setting of the service, read once at start and passed down.

They come from the environment (`BLENDPROOF_*`), then from `blendproof.toml` in the current folder. A wrong value stops
the service with a message: the name of the setting, the value it found and what to write.
"""

from __future__ import annotations

import difflib
import os
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from pydantic import AfterValidator, BeforeValidator, Field, HttpUrl, SecretStr, ValidationError, model_validator
from pydantic_core import ErrorDetails
from pydantic_settings import (
    BaseSettings,
    NoDecode,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    SettingsError,
    TomlConfigSettingsSource,
)

from app.errors import SettingsInvalid
from app.llm.providers import (
    IN_TURN,
    Provider,
    ProviderName,
    ProviderSettings,
    a_plain_key,
    ready,
    shown_address,
    without_user,
)
from app.setting_values import (
    a_database,
    a_file,
    a_file_of_tokens,
    a_folder,
    a_header_value,
    a_host,
    a_name_or_path,
    a_receiver,
    a_shelf,
    an_address,
    an_executable,
    beginnings,
    callers_in,
    no_folder,
    parts,
    real_folders,
    words,
)
from search.exporting import PACKAGED

LogFormat = Literal["auto", "json", "console"]
LogLevel = Literal["debug", "info", "warning", "error"]

CHECKOUT = Path(__file__).resolve().parents[1]
OWN_VARIABLES: Final = (
    "BLENDPROOF_CONFIG",
    "BLENDPROOF_URL",
    "BLENDPROOF_EXTRAS",
    "BLENDPROOF_MEMORY",
    "BLENDPROOF_STORE_SECRET",
)
"""Variables that are not settings: the settings file, the service to call, and those of docker-compose.yml."""
LOOPBACK = ("127.0.0.1", "localhost", "::1")


def default_home() -> Path:
    """`.blendproof` in a checkout; the user's data folder for an installed package."""
    if (CHECKOUT / "pyproject.toml").exists():
        return CHECKOUT / ".blendproof"
    return Path(os.environ.get("XDG_DATA_HOME", Path.home() / ".local" / "share")) / "blendproof"


class Settings(BaseSettings):
    """The settings. Each field is read from `BLENDPROOF_<FIELD>`."""

    model_config = SettingsConfigDict(env_prefix="BLENDPROOF_", env_ignore_empty=True, protected_namespaces=())

    home: Annotated[Path, AfterValidator(a_folder)] = Field(default_factory=default_home)
    """Folder that holds the Blenders, the stubs, the index and, unless `data` says otherwise, the data."""

    data: Annotated[Path | None, AfterValidator(a_folder)] = None
    """Folder of the runs and artifacts; `<home>/data` unless given."""

    blender: Annotated[Path | None, AfterValidator(an_executable)] = None
    """A `blender` executable to use instead of the `bpy` wheel."""

    find_blenders: bool = True
    """True lets requests name `blender` executables that are on the PATH or in the usual places."""

    embedding_model: Annotated[str, AfterValidator(a_name_or_path)] = PACKAGED
    """Sentence-transformers model that the index is made with: the packaged one, a hub name, or a path."""

    cross_encoder: Annotated[str | None, AfterValidator(a_name_or_path)] = None
    """Cross-encoder that reorders the first hits of a search: a hub name or a path; none unless given."""

    clip_model: str = "ViT-B-32"
    """Architecture of the CLIP model that searches pictures, by its open_clip name."""

    clip_weights: Annotated[str | None, AfterValidator(a_name_or_path)] = None
    """Weights of that model: the name of a pretrained set, `hf-hub:` and a repository, or a path; none unless given."""

    withheld: Annotated[Path | None, AfterValidator(a_file)] = None
    """File of requests whose artifacts the drafter is never shown; the tasks in `bench` of a checkout unless given."""

    failed_run_days: float = Field(default=30.0, gt=0, allow_inf_nan=False)
    """Days after which runs that proved nothing are forgotten; artifacts and the runs that made them are kept."""

    repositories: Annotated[list[Path], NoDecode, BeforeValidator(parts), AfterValidator(real_folders)] = []
    """Folders below which repositories may be added, with `:` between them; unless given, none over HTTP, and any on
    the command line."""

    repository_urls: Annotated[list[str], NoDecode, BeforeValidator(words), AfterValidator(beginnings)] = []
    """Beginnings of addresses that may be cloned, such as `https://github.com/`, with spaces between them; none unless
    given."""

    repository_prompt: Annotated[Path | None, AfterValidator(a_file)] = None
    """File with a system prompt for questions about repositories; the packaged one unless given."""

    max_archive_bytes: int = Field(default=4 << 30, ge=1024)
    """Largest archive of artifacts that is imported, in bytes."""

    host: Annotated[str, AfterValidator(a_host)] = "127.0.0.1"
    """Address the service listens on."""

    port: int = Field(default=8484, ge=0, le=65535)
    """Port the service listens on; 0 takes a free one."""

    token: Annotated[SecretStr | None, AfterValidator(a_header_value)] = None
    """Bearer token every request must carry; none unless given."""

    tokens: Annotated[Path | None, AfterValidator(a_file_of_tokens)] = None
    """File of further tokens, one per line after the name of its caller; `token` must be set too. Callers take turns,
    have quotas of their own, and see their own jobs; artifacts and repositories are everybody's."""

    runs_per_minute: int | None = Field(default=None, ge=1)
    """Jobs of all kinds that one caller may begin per minute; any number unless given."""

    cost_per_day: float | None = Field(default=None, gt=0, allow_inf_nan=False)
    """US dollars that models may cost one caller in 24 hours, by the prices that are set; any unless given."""

    database: Annotated[SecretStr | None, AfterValidator(a_database)] = None
    """Postgres database of the jobs, such as `postgresql://user:password@host/name`, which several services may share
    (docs/scale.md); a file in the data folder unless given."""

    lease_s: float = Field(default=15.0, ge=1, le=3600)
    """Seconds after which the jobs of a service that is not heard of any more are taken over by another one that shares
    the database."""

    artifacts: Annotated[str | None, AfterValidator(a_shelf)] = None
    """Object store of the artifacts and their index, such as `s3://bucket/folder`, which several services may share
    (docs/scale.md); the data folder unless given."""

    parallel_runs: int = Field(default=2, ge=1, le=64)
    """Runs that are worked on at the same time; the others wait."""

    waiting_runs: int = Field(default=32, ge=1)
    """Runs of a caller that may wait; one more is refused with 503."""

    max_body_bytes: int = Field(default=24 << 20, ge=1024)
    """Largest request body, in bytes."""

    max_run_s: float = Field(default=120.0, gt=0, allow_inf_nan=False)
    """Longest time a request may ask for one Blender process, in seconds."""

    warm_workers: int = Field(default=2, ge=0, le=64)
    """Executions that can use warm Blenders at the same time (120 MiB each); 0 starts Blenders for each execution."""

    warm_checkers: int = Field(default=2, ge=0, le=32)
    """Pyright processes kept warm (0.4 to 1 GiB each, two per Blender series); 0 keeps no checker warm."""

    memory_mib: int = Field(default=3072, ge=512)
    """Memory one Blender process may use, in MiB."""

    log_format: LogFormat = "auto"
    """Form of the log: `json` lines, `console` for people, or `auto`: `console` on a terminal, otherwise `json`."""

    log_level: LogLevel = "info"
    """Lowest level that is logged: `debug`, `info`, `warning` or `error`."""

    tracing: Annotated[str | None, AfterValidator(a_receiver)] = None
    """Receiver of traces by OpenTelemetry (OTLP over HTTP), such as `http://127.0.0.1:4318`; no traces unless given
    (docs/operating.md)."""

    sandbox: Literal["auto", "unsafe"] = "auto"
    """`auto` runs snippets only if files and network are out of their reach; `unsafe` runs them in any case."""

    engine: Literal["local", "ray"] = "local"
    """The machine that executes snippets: this one (`local`), or the nodes of a cluster (`ray`, docs/cluster.md)."""

    cluster: Annotated[str | None, AfterValidator(an_address)] = None
    """Address of the head of the cluster, as HOST:PORT; needed for `ray`, and where `blendproof node` joins."""

    cluster_token: Annotated[Path | None, AfterValidator(no_folder)] = None
    """File with the token of the cluster; `<home>/cluster-token` unless given."""

    model_provider: Literal[
        "auto", "off", "vllm", "lmstudio", "ollama", "custom", "openrouter", "openai", "scripted"
    ] = "auto"
    """Provider to ask: none (`off`); every provider of blendproof.toml in turn, local ones first (`auto`); or one of
    `vllm`, `lmstudio`, `ollama`, `custom`, `openrouter`, `openai`, `scripted` (docs/models.md)."""

    model_name: str | None = None
    """The model at that one provider; for several, and for prices and limits, see docs/models.md."""

    model_url: HttpUrl | None = None
    """Base address of that provider, if it is not the usual one."""

    model_key: Annotated[SecretStr | None, AfterValidator(a_plain_key)] = None
    """Key for that provider."""

    model_context: int | None = Field(default=None, ge=2048)
    """Tokens that question and answer may have together; 16384 unless given."""

    model_images: bool | None = None
    """True if the model takes pictures, so that the critic may see the render; false unless given."""

    model_script: Path | None = None
    """The file of written answers that `scripted` replays."""

    model_critic: bool = True
    """True has a model also judge what a model wrote."""

    model_run_tokens: int = Field(default=200_000, ge=1)
    """Tokens that the models may use for one run, questions and answers together."""

    model_run_s: float = Field(default=900.0, gt=0, allow_inf_nan=False)
    """Seconds that one run may wait for models in all."""

    model_run_cost: float | None = Field(default=None, gt=0, allow_inf_nan=False)
    """US dollars that the models may cost for one run, by the prices that are set; any unless given."""

    model_cache_days: float | None = Field(default=None, gt=0, allow_inf_nan=False)
    """Days that an answer is given again to exactly the same question, without asking the model; none unless given
    (docs/models.md)."""

    providers: dict[ProviderName, ProviderSettings] = {}
    """Tables of blendproof.toml, one per provider; see docs/models.md."""

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """The caller's values come first, then the environment, then the file."""
        return init_settings, env_settings, TomlConfigSettingsSource(settings_cls, settings_file())

    @model_validator(mode="after")
    def _cluster_is_named(self) -> Settings:
        if self.engine == "ray" and self.cluster is None:
            raise ValueError("BLENDPROOF_ENGINE=ray: set BLENDPROOF_CLUSTER to HOST:PORT of the head")
        return self

    @model_validator(mode="after")
    def _tokens_are_complete(self) -> Settings:
        if callers_in(self.tokens) and self.token is None:
            raise ValueError("tokens: the service needs a token of its own too; set BLENDPROOF_TOKEN")
        return self

    @model_validator(mode="after")
    def _providers_are_ready(self) -> Settings:
        self.model_providers()
        return self

    def model_providers(self) -> list[Provider]:
        """The providers to ask, in the order in which they are tried; raises ValueError if one is not ready."""
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
                raise ValueError(f"model_provider: name the provider that has {said}")
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
    def data_folder(self) -> Path:
        """The folder of the runs and artifacts."""
        return self.data or self.home / "data"

    def mypy_cache(self, series: str) -> Path:
        """The folder of mypy's cache for the stubs of a series."""
        return self.home / "cache" / "mypy" / series

    @property
    def cluster_token_file(self) -> Path:
        """The file with the token of the cluster."""
        return self.cluster_token or self.home / "cluster-token"

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

    def all_tokens(self) -> dict[str, str]:
        """The tokens by the names of their callers, that of the service under no name; none if all are let in."""
        return ({"": self.plain_token} if self.plain_token else {}) | callers_in(self.tokens)

    @property
    def plain_database(self) -> str | None:
        """The address of the database with its password; never to be shown."""
        return self.database.get_secret_value() if self.database else None

    @property
    def on_loopback(self) -> bool:
        """True if only this machine can reach the service."""
        return self.host in LOOPBACK


def read_settings() -> Settings:
    """The settings as the environment gives them; raises SettingsInvalid naming every wrong variable."""
    wrong, settings = list(unknown_variables(os.environ)), None
    try:
        settings = Settings()  # pyright: ignore[reportCallIssue]
    except ValidationError as error:
        wrong += [what_is_wrong(item) for item in error.errors()]
    except SettingsError:
        # Every other setting is read as plain text, so only this one ends up here.
        wrong.append(
            "BLENDPROOF_PROVIDERS: it is not JSON; write the tables in blendproof.toml, as docs/models.md shows"
        )
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as error:
        raise SettingsInvalid(f"{settings_file()}: {error}", "Correct the file or remove it.") from None
    if wrong or settings is None:
        raise SettingsInvalid("; ".join(wrong))
    return settings


@dataclass(frozen=True)
class InForce:
    """One setting as it is now: `source` is a variable, the file, or `default`."""

    name: str
    value: str
    source: str


def in_force(settings: Settings) -> Iterator[InForce]:
    """Every setting with its value, secrets hidden, and where it comes from."""
    variables = {name.upper() for name, value in os.environ.items() if value}
    file = settings_file()
    written = tomllib.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
    for name in Settings.model_fields:
        value: Any = getattr(settings, name)
        if name == "providers":
            value = ", ".join(settings.providers)
        elif name in ("repositories", "repository_urls"):
            value = (os.pathsep if name == "repositories" else " ").join(map(str, value))
        elif isinstance(value, HttpUrl):
            value = shown_address(str(value))
        in_file = str(file) if name in written else "default"
        source = variable_of(name) if variable_of(name) in variables else in_file
        yield InForce(name, "" if value is None else str(value), source)


def variable_of(name: str) -> str:
    """The environment variable of a setting."""
    return f"BLENDPROOF_{name.upper()}"


def unknown_variables(environment: Iterable[str]) -> Iterator[str]:
    """Variables that look like settings but are not, each with the nearest setting."""
    known = [*map(variable_of, Settings.model_fields), *OWN_VARIABLES]
    for name in sorted(environment):
        if name.upper().startswith("BLENDPROOF_") and name.upper() not in known:
            yield f"{name}: {not_there(name.upper(), known)}"


def not_there(name: str, known: Iterable[str]) -> str:
    """The message about an unknown setting, with the nearest name."""
    near = difflib.get_close_matches(name, list(known), 1)
    return f"there is no such setting; did you mean {near[0]}?" if near else "there is no such setting"


SECRET: Final = frozenset({"key", "token", "model_key", "database"})


def what_is_wrong(item: ErrorDetails) -> str:
    """One wrong setting: its name, its value unless secret, and what to write."""
    place = [str(part) for part in item["loc"]]
    message = what_to_write(item, place)
    if not place:
        return message
    known = len(place) == 1 and place[0] in Settings.model_fields
    name = variable_of(place[0]) if known else ".".join(part for part in place if part != "[key]")
    seen: object = item["input"]
    # The value of an unknown name may be a key whose name was misspelt.
    secret = place[-1] in SECRET or item["type"] == "extra_forbidden"
    told = without_user(seen) if isinstance(seen, str) else seen
    shown = f"={told!r}" if isinstance(told, (str, int, float)) and not secret else ""
    return f"{name}{shown}: {message}"


def what_to_write(item: ErrorDetails, place: list[str]) -> str:
    """The words on what to write instead of a wrong value."""
    bounds: Mapping[str, Any] = item.get("ctx", {})
    match item["type"]:
        case "extra_forbidden":
            return not_there(place[-1], ProviderSettings.model_fields if len(place) > 1 else Settings.model_fields)
        case "int_parsing" | "int_type" | "int_from_float":
            return "write a whole number"
        case "float_parsing" | "float_type" | "finite_number":
            return "write a number"
        case "bool_parsing" | "bool_type":
            return "write true or false"
        case "literal_error":
            return f"write {bounds['expected']}"
        case "greater_than_equal":
            return f"write at least {bounds['ge']}"
        case "less_than_equal":
            return f"write at most {bounds['le']}"
        case "greater_than":
            return f"write more than {bounds['gt']:g}"
        case "model_type" | "dict_type":
            return "write a table, as docs/models.md shows"
        case "url_parsing" | "url_scheme":
            return "write an address such as http://127.0.0.1:8000/v1"
        case _:
            return item["msg"].removeprefix("Value error, ")


def settings_file() -> Path:
    """The file of settings: `BLENDPROOF_CONFIG`, or `blendproof.toml` in the current folder; it may be missing."""
    return Path(os.environ.get("BLENDPROOF_CONFIG") or "blendproof.toml")


def http_address(host: str, port: int) -> str:
    """The address of a service, with an IPv6 host in brackets."""
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
