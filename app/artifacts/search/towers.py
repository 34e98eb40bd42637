"""An exported CLIP in memory: pictures and words in, vectors of length 1 out, by ONNX Runtime and without PyTorch.

<home>/models/clip-<model>-<weights>/
├── picture.onnx, words.onnx    the two towers, as `clip_export.py` writes them
├── tokenizer.json              the tokenizer
└── model.json                  all other facts, and the hashes of the files: `ClipFacts`
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
"""Format of the folder's contents; a folder in another format is made again."""
PICTURES: Final = "picture.onnx"
WORDS: Final = "words.onnx"
TOKENIZER: Final = "tokenizer.json"
FACTS: Final = "model.json"
HUB: Final = "hf-hub:"
"""Prefix of the name of a repository with weights."""

Tokens = npt.NDArray[np.int64]
Cleaning = Literal["lower", "whitespace", "canonicalize"]


class ClipUnusable(ModelUnusable):
    """There are no weights, or they cannot be used. The message says why and what to do."""


class Preparation(BaseModel, frozen=True):
    """The preparation of a picture for the model, in the terms of open_clip."""

    size: tuple[int, int]
    """Height and width."""
    mean: tuple[float, float, float]
    std: tuple[float, float, float]
    interpolation: Literal["bicubic", "bilinear"]
    resize_mode: Literal["shortest", "longest", "squash"]
    fill_color: int


class WordPreparation(BaseModel, frozen=True):
    """The preparation of words for the model, apart from `tokenizer.json`."""

    cleaning: Cleaning
    blank: int | None
    """The token that the model gets as 0."""
    until_end: bool
    """True if the model gets only the tokens up to the end of the text, without the padding after it."""


class ClipFacts(BaseModel, frozen=True):
    """The facts of an exported CLIP, apart from its files."""

    form: int
    identity: str
    """The model and its exact weights."""
    dimensions: int = Field(gt=0)
    preparation: Preparation
    reading: WordPreparation
    precision: dict[str, Literal["int8", "float32"]]
    """The precision of each tower."""
    nearness: dict[str, float]
    """The nearness of the vectors of each tower to the exact ones; see `clip_export.nearness`."""
    sha256: dict[str, str]


class Towers:
    """The two towers of the model. Only one thread at a time may use them."""

    def __init__(self, folder: Path, facts: ClipFacts) -> None:
        self.facts: Final = facts
        self._pictures: Any = open_session(folder / PICTURES)
        self._words: Any = open_session(folder / WORDS)
        self._tokenize: Final = Tokenize(folder / TOKENIZER, facts.reading)

    def vector(self, content: Image.Image | str) -> Vectors:
        """The vector of a picture or of words.

        One at a time: in 8 bits the numbers of a whole batch share one range, so that the vector of a picture would
        depend on the others in its batch.
        """
        if isinstance(content, str):
            (vector,) = self._words.run(None, {"tokens": self._tokenize(content)})[0]
        else:
            (vector,) = self._pictures.run(None, {"pixels": prepare(content, self.facts.preparation)})[0]
        return np.asarray(vector, dtype=np.float32)


def read_facts(folder: Path, identity: str) -> ClipFacts | None:
    """The facts stored with an exported model, or None if the model is not complete."""
    try:
        facts = ClipFacts.model_validate_json((folder / FACTS).read_bytes())
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
    """The model's input for a picture, (1, 3, height, width): the same as open_clip's transform returns."""
    height, width = how.size
    bilinear = how.interpolation == "bilinear"
    resample = Image.Resampling.BILINEAR if bilinear else Image.Resampling.BICUBIC
    resized = picture.convert("RGB").resize(resized_size(picture.size, how), resample)
    pixels = np.asarray(middle(resized, width, height, how.fill_color), dtype=np.float32) / np.float32(255)
    normal = (pixels - np.array(how.mean, dtype=np.float32)) / np.array(how.std, dtype=np.float32)
    return np.ascontiguousarray(normal.transpose(2, 0, 1)[np.newaxis])


def resized_size(size: tuple[int, int], how: Preparation) -> tuple[int, int]:
    """Width and height of a picture of this size after scaling."""
    (given_width, given_height), (height, width) = size, how.size
    if how.resize_mode == "squash":
        return width, height
    if how.resize_mode == "shortest" and width == height:
        # torchvision's rule, which truncates; open_clip's rounds.
        shortest = min(size)
        return int(width * given_width / shortest), int(width * given_height / shortest)
    ratios = given_width / width, given_height / height
    ratio = max(ratios) if how.resize_mode == "longest" else min(ratios)
    return max(round(given_width / ratio), 1), max(round(given_height / ratio), 1)


def middle(picture: Image.Image, width: int, height: int, fill: int) -> Image.Image:
    """The middle of a picture at this size, with a border if the picture is smaller."""
    wide, high = max(picture.width, width), max(picture.height, height)
    if (wide, high) != picture.size:
        whole = Image.new("RGB", (wide, high), (fill, fill, fill))
        whole.paste(picture, ((wide - picture.width) // 2, (high - picture.height) // 2))
        picture = whole
    left, top = round((wide - width) / 2), round((high - height) / 2)
    return picture.crop((left, top, left + width, top + height))


# Words


class Tokenize:
    """Words in, tokens out: the same as open_clip's own tokenizer."""

    def __init__(self, file: Path, reading: WordPreparation) -> None:
        # Imported here, because a service without searches need not wait for it.
        from tokenizers import Tokenizer

        self._tokenizer: Any = Tokenizer.from_file(str(file))
        self._clean: Final = CLEANING[reading.cleaning]
        self._reading: Final = reading

    def __call__(self, words: str) -> Tokens:
        """The tokens of one text, (1, tokens)."""
        tokens = np.array([self._tokenizer.encode(self._clean(words)).ids], dtype=np.int64)
        if self._reading.blank is not None:
            tokens[tokens == self._reading.blank] = 0
        # The end of a text is the token with the highest number; the model does not see what follows it.
        return tokens[:, : int(tokens.argmax()) + 1] if self._reading.until_end else tokens


def tidy(words: str) -> str:
    """Words without broken encoding, HTML entities and repeated spaces."""
    from ftfy import fix_text

    # A file name may contain a lone surrogate, which no tokenizer accepts.
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
