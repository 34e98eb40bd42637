"""The requests of callers: the bodies of POST /generate and POST /validate, and the orders made of them."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterable, Sequence
from typing import Annotated, Final, Literal, Self

from pydantic import (
    AfterValidator,
    AliasChoices,
    BaseModel,
    ConfigDict,
    EncodedBytes,
    EncoderProtocol,
    Field,
    model_validator,
)

from app.accept import Acceptance, Check
from app.jobs.earlier import LONGEST_REQUEST, Earlier, as_one_text, for_a_model, for_checks
from app.verdict.verdict import NAMED_TODAY
from harness.launcher import ProcessLimits
from harness.order import SNIPPET, Order
from harness.protocol import CAMERA, FACE, VIEWS, RenderSettings

MAX_SNIPPET = 1 << 20
MOST_FILES = 100
MOST_FOLDERS = 8
DEFAULT_WALL_S = 60.0
MOST_ATTEMPTS = 10
MOST_BLENDERS = 8
MOST_VARIANTS = 5
LONGEST_S = 86_400
"""A day: no limit on a run is longer."""
ViewName = Literal["camera", "three_quarter", "front", "right", "back", "left", "top", "face"]

BROUGHT: Final = RenderSettings()
"""The render of a snippet that was brought: one picture, which costs little."""
GENERATED: Final = RenderSettings(size_px=512, samples=8, views=(CAMERA, VIEWS[0], FACE), frames=3, further_px=240)
"""The render of a generated snippet: a sheet, by which someone can compare it with the request. Rendering takes most of
an attempt, so only the first picture is large; two others with their labels are as high as that one."""


class StrictBase64(EncoderProtocol):
    """Base64 without anything else between its characters."""

    @classmethod
    def decode(cls, data: bytes) -> bytes:
        """The bytes; raises ValueError."""
        try:
            return base64.b64decode(data, validate=True)
        except binascii.Error as error:
            raise ValueError(f"not base64: {error}") from error

    @classmethod
    def encode(cls, value: bytes) -> bytes:
        """The text."""
        return base64.b64encode(value)

    @classmethod
    def get_json_format(cls) -> Literal["base64"]:
        """The name of the format in the documentation of the API."""
        return "base64"


Base64 = Annotated[bytes, EncodedBytes(encoder=StrictBase64)]


def plain_path(name: str) -> str:
    """The path of a file below the work folder, such as `textures/wood.png`, as it is. Raises ValueError."""
    parts = name.split("/")
    for part in parts:
        if not part.replace(".", "").replace("_", "").replace("-", "").replace(" ", "").isalnum() and part.strip("_"):
            raise ValueError(
                "folders and the file are separated by / and hold letters, digits, spaces, and . _ - within, such as "
                "`textures/wood.png`; no `..`, no \\, and no / in front"
            )
        if not part or part[0] in ".-":
            raise ValueError("no folder and no file has an empty name, or one that begins with . or -")
        if len(part.encode()) > 255:
            raise ValueError("a file name has at most 255 bytes")
    if len(parts) > MOST_FOLDERS + 1:
        raise ValueError(f"a file lies in at most {MOST_FOLDERS} folders")
    if parts[0] == SNIPPET:
        raise ValueError(f"{SNIPPET} is the name of the snippet itself")
    return name


def file_and_folder(names: Iterable[str]) -> str | None:
    """A name that is both a file and a folder of another file; None if there is none."""
    files = set(names)
    folders = {"/".join(parts[:end]) for parts in (name.split("/") for name in files) for end in range(1, len(parts))}
    return min(files & folders, default=None)


def without_mark(snippet: str) -> str:
    """The text without the byte order mark that some editors put before it."""
    return snippet.removeprefix("\ufeff")


class StrictBody(BaseModel):
    """Refuses unknown fields, so that a misspelt option is never silently ignored."""

    model_config = ConfigDict(extra="forbid", use_attribute_docstrings=True)


class RenderOptions(StrictBody):
    """Options of the picture."""

    size: int | None = Field(default=None, ge=32, le=1024)
    """Edge of each square picture, in pixels. Unless given, 512 for what is generated and 256 for what you bring."""
    further: int | None = Field(default=None, ge=32, le=1024)
    """Edge of the pictures after the first. Unless given, 240 for what is generated if neither `size` nor `views` is
    given, otherwise `size`."""
    samples: int | None = Field(default=None, ge=1, le=256)
    """Samples per pixel (Cycles). Unless given, 8 for what is generated and 16 for what you bring."""
    engine: Literal["cycles", "workbench"] = "cycles"
    """The engine to render with. Both work on a CPU; EEVEE does not, so a scene that is set to it is rendered with
    this one, and the report says so."""
    views: list[ViewName] | None = Field(default=None, min_length=1, max_length=len(VIEWS) + 2)
    """The sides to show the subject from, the first as the artifact's picture. `camera` is the snippet's own camera,
    and left out if there is none; `face` is the front, or the side that shows far more. Without `camera` among them,
    the snippet's camera takes the place of the first. Unless given, `camera`, `three_quarter` and `face` for what is
    generated, and `three_quarter` for what you bring."""

    frames: int | None = Field(default=None, ge=0, le=9)
    """Further pictures of a scene that moves, spread over its movement, or over two seconds of its physics; with
    several pictures comes a contact sheet. Unless given, 3 for what is generated; for what you bring none, or one
    if its picture shows nothing."""

    def settings(self, otherwise: RenderSettings = BROUGHT) -> RenderSettings:
        """The same for the harness; options that are not given are as in `otherwise`."""
        usual = self.size is None and self.views is None
        return RenderSettings(
            self.size or otherwise.size_px,
            self.samples or otherwise.samples,
            self.engine,
            tuple(dict.fromkeys(self.views or otherwise.views)),
            otherwise.frames if self.frames is None else self.frames,
            self.further or (otherwise.further_px if usual else None),
        )


class InputFile(StrictBody):
    """A file that the snippet finds in its work folder."""

    name: Annotated[str, Field(min_length=1, max_length=200), AfterValidator(plain_path)]
    """Its name, or its path with folders: `helper.py`, `textures/wood.png`."""
    content: Base64
    """Its bytes, in base64."""


class Setup(StrictBody):
    """The scene the snippet starts from, in place of Blender's factory scene: one of the two."""

    snippet: str | None = Field(default=None, max_length=MAX_SNIPPET)
    """Python that makes the scene."""
    blend: Base64 | None = None
    """A .blend file, in base64. It is opened with its scripts off."""

    @model_validator(mode="after")
    def one_of_both(self) -> Setup:
        if (self.snippet is None) == (self.blend is None):
            raise ValueError("give either `snippet` or `blend`")
        return self


BlenderName = Annotated[str, Field(min_length=1, max_length=60)]


class Options(StrictBody):
    """The options of both kinds of request."""

    blender: BlenderName | None = Field(default=None, examples=["5.0"])
    """Version, series or label of the Blender to prove it on, `lts` or `latest`; the default Blender unless given."""
    verify_on: list[BlenderName] = Field(default=[], max_length=MOST_BLENDERS, examples=[["4.2", "4.5"]])
    """Further Blenders, named in the same way; `matrix` in the answer says the verdict on each."""
    portable: bool = False
    """True if one snippet must hold on the target and all of `verify_on`, with branches if they differ. It is
    proven only if it is proven on all of them."""
    setup: Setup | None = None
    """The scene to start from; Blender's factory scene unless given."""
    arguments: list[Annotated[str, Field(max_length=1000)]] = Field(default=[], max_length=50)
    """The arguments of the snippet: `sys.argv` after `--`."""
    files: list[InputFile] = Field(default=[], max_length=MOST_FILES)
    """Files the snippet finds in its work folder, which is also its current folder."""
    render: RenderOptions = RenderOptions()
    """Options of the picture."""
    max_attempts: int = Field(default=3, ge=0, le=MOST_ATTEMPTS)
    """Snippets that models may write for it, the first one included; 0 asks no model."""
    accept: Acceptance = []
    """Conditions that the scene must meet in the end; a check that is not met fails the stage `accept`."""
    time_limit: float | None = Field(default=None, ge=5, le=LONGEST_S, allow_inf_nan=False)
    """Seconds that each of the two Blender processes may take, its start included; 60 unless given."""
    keep_scene: bool = False
    """True if the artifact is to keep the scene that the snippet left, as `/artifacts/{id}.blend` and `.glb`, each if
    it has at most 64 MiB."""

    @model_validator(mode="after")
    def _portable_over_several(self) -> Self:
        if self.portable and not self.verify_on:
            raise ValueError("`portable` needs `verify_on`: the Blenders that the snippet is to hold on")
        return self

    @model_validator(mode="after")
    def names_once(self) -> Self:
        names = [file.name for file in self.files]
        twice = next((name for place, name in enumerate(names) if name in names[:place]), None)
        if twice is not None:
            raise ValueError(f"files: {twice!r} is given twice")
        both = file_and_folder(names)
        if both is not None:
            raise ValueError(f"files: {both!r} is a file and the folder of another one")
        return self

    def usual_render(self) -> RenderSettings:
        """The render settings unless the request says otherwise."""
        return BROUGHT

    def whole_order(self, snippet: str, accept: Sequence[Check], longest_s: float, memory_bytes: int) -> Order:
        """The order to execute this snippet and look at its scene with these acceptance checks.

        `longest_s` is the longest `time_limit` that a request may ask for.
        """
        wall_s = self.time_limit or min(DEFAULT_WALL_S, longest_s)
        limits = ProcessLimits(wall_s=wall_s, memory_bytes=memory_bytes)
        return Order(
            snippet=snippet,
            arguments=tuple(self.arguments),
            files=tuple((file.name, file.content) for file in self.files),
            setup_snippet=self.setup.snippet if self.setup else None,
            setup_blend=self.setup.blend if self.setup else None,
            render=self.render.settings(self.usual_render()),
            run_limits=limits,
            examine_limits=limits,
            accept=tuple(check.wanted() for check in accept),
            keep_scene=self.keep_scene,
        )


class GenerateRequest(Options):
    """Ask for a snippet in plain words."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "request": "Create the active object if missing, add a Subdivision Surface modifier (levels=2), "
                    "and shade smooth."
                }
            ]
        }
    )

    request: str = Field(min_length=1, max_length=LONGEST_REQUEST)
    """The task of the snippet."""
    drafter: Annotated[Literal["auto", "commands", "model"], NAMED_TODAY] = "auto"
    """The writer of the first snippet: `auto` takes commands if the whole request is written in the command language,
    otherwise a model."""
    variants: int = Field(default=1, ge=1, le=MOST_VARIANTS)
    """First snippets that a model writes, each with another approach. All are judged, the critic's scores choose, and
    the others stay in the run. They count as attempts; a request in the command language has one."""
    continues: str | None = Field(
        default=None,
        min_length=1,
        max_length=100,
        validation_alias=AliasChoices("continues", "continue"),
        examples=["r-0123456789abcdef"],
    )
    """A run to go on from, also under the name `continue`: this request says what to change in its snippet. The answer
    is one whole snippet, proven anew, from the same start scene; one that came as a .blend, files and options are
    not taken over."""
    earlier: Earlier | None = None
    """The same for a snippet that is no run here."""

    @model_validator(mode="after")
    def _attempts_for_all_variants(self) -> Self:
        if self.variants > max(self.max_attempts, 1):
            raise ValueError(f"{self.variants} variants need `max_attempts` of at least {self.variants}")
        return self

    @model_validator(mode="after")
    def _one_to_go_on_from(self) -> Self:
        if self.continues and self.earlier:
            raise ValueError("give `continues` or `earlier`, not both")
        if self.earlier and len(self.all_requests()) > LONGEST_REQUEST:
            raise ValueError(f"all requests together have more than {LONGEST_REQUEST} characters; leave out the first")
        return self

    def all_requests(self) -> str:
        """This request after those that it goes on from, as one text."""
        return as_one_text([*self.earlier.requests, self.request]) if self.earlier else self.request

    def for_a_model(self) -> str:
        """This request in words for a model."""
        return for_a_model(self.earlier, self.request) if self.earlier else self.request

    def for_checks(self) -> str:
        """This request in words for the model that derives checks."""
        return for_checks(self.earlier, self.request) if self.earlier else self.request

    def usual_render(self) -> RenderSettings:
        """See `Options`."""
        return GENERATED


class ValidateRequest(Options):
    """Bring your own snippet and get the same verdict."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"snippet": "import bpy\n\nbpy.ops.mesh.primitive_monkey_add(size=2)\n"}]}
    )

    snippet: Annotated[str, Field(min_length=1, max_length=MAX_SNIPPET), AfterValidator(without_mark)]
    """The Python source."""
    heal: bool = False
    """True to heal it if it is not proven as it is: by rules, then by a model if one is configured."""
    continues: str | None = Field(default=None, min_length=1, max_length=100, examples=["r-0123456789abcdef"])
    """The run whose snippet this is, edited: its page then shows both, with the difference."""
