"""Writes wordings of a request, the likeliest first: a small transformer, in NumPy.

    words of the request, as `states.py` sees them ─> 2 layers ─> memory
    wording so far ─> 2 layers over it and the memory ─> next: a word of the vocabulary, or a word of the request,
                                                         as it is or in quotes

What comes next is an action: below the length of the vocabulary it writes that word; behind it there are two for each
word of the request, copy it, and copy it in quotes. `bench/rewording.py` teaches it, by the same layout in PyTorch.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.resources import as_file, files
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from app.drafting.composer.tokens import Token
from app.drafting.rewording.copied import fixed, is_name

WIDTH: Final = 144
LAYERS: Final = 2
HEADS: Final = 4
LONGEST: Final = 110
"""Words that a request or a wording may have."""
KINDS: Final = ("word", "number", "quoted", "path", "hex", "mark", "junk")
END: Final = 0
"""The action that ends a wording."""
BEAMS: Final = 4
SPARE: Final = 12
"""Words that a wording may have beyond twice those of the request."""
NORM_EPSILON: Final = 1e-5
SAID_SCALE: Final = 0.3 * math.sqrt(WIDTH)
NEVER: Final = -1e9
WEIGHTS_FILE: Final = "weights.npz"

Array = npt.NDArray[np.floating[Any]]
Places = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Wording:
    """What the network wrote, and how likely it found each word of it (the mean logarithm)."""

    text: str
    sureness: float


@dataclass(frozen=True)
class Beam:
    """A wording that still grows, and the logarithm of its likelihood."""

    likelihood: float
    actions: tuple[int, ...]


class Network:
    """The weights in memory."""

    def __init__(self, weights: dict[str, Array], vocabulary: Sequence[str]) -> None:
        self._weights: Final = weights
        self._vocabulary: Final = vocabulary

    def wordings(self, tokens: Sequence[Token], states: Array) -> list[Wording]:
        """Up to `BEAMS` wordings, the surest first, each with all names and fixed values. `states`: a row a token."""
        if not 0 < len(tokens) <= LONGEST:
            return []
        memory = self._read(tokens, states)
        must = self._must(tokens)
        beams: list[Beam] = [Beam(0.0, ())]
        done: list[Beam] = []
        told, seen = self._begin(memory)
        for step in range(1, 2 * len(tokens) + SPARE):
            for row, beam in enumerate(beams):
                if any(pointers.isdisjoint(beam.actions) for pointers in must):
                    told[row, END] = NEVER
            longer = sorted(followers(beams, told), key=likelihood_of, reverse=True)[: 2 * BEAMS]
            done += [beam for beam, _ in longer if beam.actions[-1] == END]
            growing = [(beam, parent) for beam, parent in longer if beam.actions[-1] != END][:BEAMS]
            if len(done) >= BEAMS or not growing or step > LONGEST:
                break
            beams, parents = [beam for beam, _ in growing], [parent for _, parent in growing]
            last: Places = np.array([beam.actions[-1] for beam in beams])
            told, seen = self._following(last, step, memory, [layer[parents] for layer in seen])
        found = [Wording(self._said(beam.actions, tokens), beam.likelihood / len(beam.actions)) for beam in done]
        return sorted(found, key=lambda wording: -wording.sureness)

    def _must(self, tokens: Sequence[Token]) -> list[set[int]]:
        """For each fixed value, and each name, the actions that copy it."""
        places: dict[float | str, set[int]] = {}
        for place, token in enumerate(tokens):
            value = token.text.lower() if is_name(tokens, place, self._vocabulary) else fixed(token)
            if value is not None:
                first = len(self._vocabulary) + 2 * place
                places.setdefault(value, set()).update((first, first + 1))
        return list(places.values())

    def _said(self, actions: Sequence[int], tokens: Sequence[Token]) -> str:
        words: list[str] = []
        for action in actions:
            place, quoted = divmod(action - len(self._vocabulary), 2)
            if place >= 0:
                text = tokens[place].text
                words.append(f'"{text}"' if quoted or tokens[place].kind == "quoted" else text)
            elif action != END:
                words.append(self._vocabulary[action])
        return " ".join(words)

    def _read(self, tokens: Sequence[Token], states: Array) -> Array:
        """The memory (words, width)."""
        weights = self._weights
        x = self._linear(states, "states.1")
        x += weights["kind.weight"][[KINDS.index(token.kind) for token in tokens]]
        x += weights["capital.weight"][[int(token.text[:1].isupper()) for token in tokens]]
        x = (x + weights["place.weight"][: len(tokens)])[None]
        for layer in range(LAYERS):
            part = f"request.layers.{layer}"
            x = x + self._attend(h := self._norm(x, f"{part}.norm1"), h, f"{part}.self_attn")
            x = x + self._forward(self._norm(x, f"{part}.norm2"), part)
        memory: Array = self._norm(x, "request.norm")[0]
        return memory

    def _begin(self, memory: Array) -> tuple[Array, list[Array]]:
        """What `_following` answers where nothing is written yet."""
        nothing = np.zeros((1, 0, WIDTH), dtype=np.float32)
        return self._write(np.zeros((1, WIDTH), dtype=np.float32), 0, np.zeros(1, np.int64), memory, [nothing] * LAYERS)

    def _following(self, last: Places, step: int, memory: Array, seen: list[Array]) -> tuple[Array, list[Array]]:
        """Logarithms of likelihood (beams, actions) of what follows these actions, one a beam, written at this step.

        `seen` holds what each layer attends to of the steps before, (beams, steps, width); it comes back with this one.
        """
        words = len(self._vocabulary)
        copied = last >= words
        place = np.where(copied, (last - words) // 2, 0)
        said = self._weights["word.weight"][np.where(copied, 0, last)] * SAID_SCALE
        x = np.where(copied[:, None], self._linear(memory[place], "copy"), said)
        return self._write(x, step, np.where(copied, 1 + (last - words) % 2, 0), memory, seen)

    def _write(self, x: Array, step: int, way: Places, memory: Array, seen: list[Array]) -> tuple[Array, list[Array]]:
        x = (x + self._weights["way.weight"][way] + self._weights["step.weight"][step])[:, None]
        beams = len(x)
        all_memory = np.broadcast_to(memory, (beams, *memory.shape))
        longer: list[Array] = []
        for layer in range(LAYERS):
            part = f"wording.layers.{layer}"
            h = self._norm(x, f"{part}.norm1")
            longer.append(np.concatenate([seen[layer], h], axis=1))
            x = x + self._attend(h, longer[-1], f"{part}.self_attn")
            x = x + self._attend(self._norm(x, f"{part}.norm2"), all_memory, f"{part}.multihead_attn")
            x = x + self._forward(self._norm(x, f"{part}.norm3"), part)
        last = self._norm(x[:, 0], "wording.norm")
        pointers = [self._linear(last, which) @ memory.T / math.sqrt(WIDTH) for which in ("point", "quote")]
        scores = [self._linear(last, "say"), np.stack(pointers, axis=-1).reshape(beams, -1)]
        return log_shares(np.concatenate(scores, axis=-1)), longer

    # Layers, by the names that PyTorch gives their weights

    def _linear(self, x: Array, name: str) -> Array:
        y: Array = x @ self._weights[f"{name}.weight"].T + self._weights[f"{name}.bias"]
        return y

    def _norm(self, x: Array, name: str) -> Array:
        centered = x - x.mean(axis=-1, keepdims=True)
        scale = np.sqrt((centered * centered).mean(axis=-1, keepdims=True) + NORM_EPSILON)
        y: Array = centered / scale * self._weights[f"{name}.weight"] + self._weights[f"{name}.bias"]
        return y

    def _forward(self, x: Array, name: str) -> Array:
        return self._linear(gelu(self._linear(x, f"{name}.linear1")), f"{name}.linear2")

    def _attend(self, x: Array, seen: Array, name: str) -> Array:
        """Attention of `x` (texts, steps, width) to what is `seen` (texts, others, width)."""
        matrices = np.split(self._weights[f"{name}.in_proj_weight"], 3)
        offsets = np.split(self._weights[f"{name}.in_proj_bias"], 3)
        query, key, value = (
            (of @ matrix.T + offset).reshape(of.shape[0], of.shape[1], HEADS, -1).swapaxes(1, 2)
            for of, matrix, offset in zip((x, seen, seen), matrices, offsets, strict=True)
        )
        nearness = query @ key.swapaxes(2, 3) / math.sqrt(WIDTH // HEADS)
        mixed = (np.exp(log_shares(nearness)) @ value).swapaxes(1, 2).reshape(x.shape)
        return self._linear(mixed, f"{name}.out_proj")


def load_network() -> Network:
    """The network with the weights that stand beside this module."""
    with as_file(files("app.drafting.rewording").joinpath(WEIGHTS_FILE)) as file, np.load(file) as held:
        every: dict[str, Any] = {name: held[name] for name in held.files}
    vocabulary: list[str] = json.loads(bytes(every.pop("vocabulary")).decode())
    return Network({name: weight.astype(np.float32) for name, weight in every.items()}, vocabulary)


def followers(beams: Sequence[Beam], told: Array) -> Iterator[tuple[Beam, int]]:
    """The likeliest next beams of each, with its place."""
    for row, beam in enumerate(beams):
        for action in np.argpartition(-told[row], BEAMS)[: BEAMS + 1].tolist():
            if told[row, action] > NEVER / 2:
                yield Beam(beam.likelihood + float(told[row, action]), (*beam.actions, action)), row


def likelihood_of(follower: tuple[Beam, int]) -> float:
    return follower[0].likelihood


def log_shares(scores: Array) -> Array:
    """Logarithms of the shares (softmax) that scores come to, along the last axis."""
    scores = scores - scores.max(axis=-1, keepdims=True)
    shares: Array = scores - np.log(np.exp(scores).sum(axis=-1, keepdims=True))
    return shares


def gelu(x: Array) -> Array:
    """The activation between the two matrices of a layer (Hendrycks and Gimpel 2016), by its exact form."""
    return (0.5 * x * (1.0 + erf(x / math.sqrt(2.0)))).astype(np.float32)


def erf(x: Array) -> Array:
    """The error function, within 1.5e-7 (Abramowitz and Stegun, 7.1.26); NumPy has none."""
    t = 1.0 / (1.0 + 0.3275911 * np.abs(x))
    sum_ = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))))
    return np.sign(x) * (1.0 - sum_ * np.exp(-x * x))
