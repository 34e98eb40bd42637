"""An exported CLIP in memory: pictures and words in, vectors of length 1 out, by ONNX Runtime and without PyTorch.

<home>/models/clip-<model>-<weights>/
├── picture.onnx, words.onnx    the two towers, as `clip_export.py` writes them
├── tokenizer.json              what makes tokens of words
└── model.json                  what else has to be known, and the hashes of the files: `Facts`
"""

from __future__ import annotations

import hashlib
import html
import string
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, Literal

import numpy as np
import numpy.typing as npt
from PIL import Image
from pydantic import BaseModel, Field, ValidationError

from search.encoder import Vectors, open_session
from search.exporting import ModelUnusable

FORM: Final = 1
"""Of what lies in the folder; what has another is made again."""
PICTURES: Final = "picture.onnx"
WORDS: Final = "words.onnx"
TOKENIZER: Final = "tokenizer.json"
FACTS: Final = "model.json"
HUB: Final = "hf-hub:"
"""Before the name of a repository that brings weights."""

Tokens = npt.NDArray[np.int64]
Cleaning = Literal["lower", "whitespace", "canonicalize"]


class ClipUnusable(ModelUnusable):
    """There are no weights, or they cannot be used; the message says why and what to do."""


class Preparation(BaseModel, frozen=True):
    """What becomes of a picture before the model sees it, in the words of open_clip."""

    size: tuple[int, int]
    """Height and width."""
    mean: tuple[float, float, float]
    std: tuple[float, float, float]
    interpolation: Literal["bicubic", "bilinear"]
    resize_mode: Literal["shortest", "longest", "squash"]
    fill_color: int


class Reading(BaseModel, frozen=True):
    """What becomes of words before the model sees them, besides what `tokenizer.json` says."""

    cleaning: Cleaning
    blank: int | None
    """The token that the model is given as 0."""
    until_end: bool
    """Whether the model is given the tokens up to the end of the text, and not the empty places behind it."""


class Facts(BaseModel, frozen=True):
    """What is known of an exported CLIP besides its files."""

    form: int
    identity: str
    """Names the model and its very weights."""
    dimensions: int = Field(gt=0)
    preparation: Preparation
    reading: Reading
    precision: dict[str, Literal["int8", "float32"]]
    """Of each tower."""
    nearness: dict[str, float]
    """How near the vectors of each tower come to the exact ones; see `clip_export.nearness`."""
    sha256: dict[str, str]


class Towers:
    """The two towers of the model. To be used by one thread at a time."""

    def __init__(self, folder: Path, facts: Facts) -> None:
        self.facts: Final = facts
        self._pictures: Any = open_session(folder / PICTURES)
        self._words: Any = open_session(folder / WORDS)
        self._tokenize: Final = Tokenize(folder / TOKENIZER, facts.reading)

    def vector(self, content: Image.Image | str) -> Vectors:
        """The vector of a picture or of words.

        One at a time: in 8 bits the numbers of a whole batch share one range, so that the vector of a picture would
        change with those that happen to wait beside it.
        """
        if isinstance(content, str):
            (vector,) = self._words.run(None, {"tokens": self._tokenize(content)})[0]
        else:
            (vector,) = self._pictures.run(None, {"pixels": prepare(content, self.facts.preparation)})[0]
        return np.asarray(vector, dtype=np.float32)


def read_facts(folder: Path, identity: str) -> Facts | None:
    """What was written beside an exported model, or None where it is not there whole."""
    try:
        facts = Facts.model_validate_json((folder / FACTS).read_bytes())
        whole = all(facts.sha256[file] == sha256_of(folder / file) for file in (PICTURES, WORDS, TOKENIZER))
    except (OSError, ValidationError, KeyError):
        return None
    return facts if whole and (facts.form, facts.identity) == (FORM, identity) else None


def sha256_of(path: Path) -> str:
    """The hash of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


# Pictures


def prepare(picture: Image.Image, how: Preparation) -> Vectors:
    """The numbers of a picture as the model takes them, (1, 3, height, width): what open_clip's transform answers."""
    height, width = how.size
    bilinear = how.interpolation == "bilinear"
    resample = Image.Resampling.BILINEAR if bilinear else Image.Resampling.BICUBIC
    resized = picture.convert("RGB").resize(resized_size(picture.size, how), resample)
    pixels = np.asarray(middle(resized, width, height, how.fill_color), dtype=np.float32) / np.float32(255)
    normal = (pixels - np.array(how.mean, dtype=np.float32)) / np.array(how.std, dtype=np.float32)
    return np.ascontiguousarray(normal.transpose(2, 0, 1)[np.newaxis])


def resized_size(size: tuple[int, int], how: Preparation) -> tuple[int, int]:
    """Width and height that a picture of this width and height is brought to."""
    (given_width, given_height), (height, width) = size, how.size
    if how.resize_mode == "squash":
        return width, height
    if how.resize_mode == "shortest" and width == height:
        # torchvision's rule, which cuts where open_clip's rounds.
        shortest = min(size)
        return int(width * given_width / shortest), int(width * given_height / shortest)
    ratios = given_width / width, given_height / height
    ratio = max(ratios) if how.resize_mode == "longest" else min(ratios)
    return max(round(given_width / ratio), 1), max(round(given_height / ratio), 1)


def middle(picture: Image.Image, width: int, height: int, fill: int) -> Image.Image:
    """The middle of a picture at this size, with a border where the picture is smaller."""
    wide, high = max(picture.width, width), max(picture.height, height)
    if (wide, high) != picture.size:
        whole = Image.new("RGB", (wide, high), (fill, fill, fill))
        whole.paste(picture, ((wide - picture.width) // 2, (high - picture.height) // 2))
        picture = whole
    left, top = round((wide - width) / 2), round((high - height) / 2)
    return picture.crop((left, top, left + width, top + height))


# Words


class Tokenize:
    """Words in, tokens out: what open_clip's own tokenizer answers."""

    def __init__(self, file: Path, reading: Reading) -> None:
        # Loaded here, because a service that is never asked to search need not wait for it.
        from tokenizers import Tokenizer

        self._tokenizer: Any = Tokenizer.from_file(str(file))
        self._clean: Final = CLEANING[reading.cleaning]
        self._reading: Final = reading

    def __call__(self, words: str) -> Tokens:
        """The tokens of one text, (1, tokens)."""
        tokens = np.array([self._tokenizer.encode(self._clean(words)).ids], dtype=np.int64)
        if self._reading.blank is not None:
            tokens[tokens == self._reading.blank] = 0
        # The end of a text is the token of the highest number, and what stands behind it is not seen.
        return tokens[:, : int(tokens.argmax()) + 1] if self._reading.until_end else tokens


def tidy(words: str) -> str:
    """Words without broken encoding, entities of HTML, and more than one space."""
    from ftfy import fix_text

    # Half a surrogate, which no tokenizer takes, may come in with a file name.
    whole = words.encode("utf-8", "replace").decode()
    return " ".join(html.unescape(html.unescape(fix_text(whole))).split())


def lowered(words: str) -> str:
    return tidy(words).lower()


def canonical(words: str) -> str:
    """In lower case and without punctuation."""
    bare = tidy(words).replace("_", " ").translate(str.maketrans("", "", string.punctuation))
    return " ".join(bare.lower().split())


CLEANING: Final[dict[Cleaning, Callable[[str], str]]] = {
    "lower": lowered,
    "whitespace": tidy,
    "canonicalize": canonical,
}
