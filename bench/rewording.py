"""Can a small network put people's words into the plain ones that the composer reads? An experiment; see decision 0024.

    python -m bench.rewording [--epochs 14] [--shown 60]

    request ─> the packaged embedding model's states of its words ─> 2 layers ─> memory
    plain wording so far ─> 2 layers over it and the memory ─> next: a word of the vocabulary, or a word copied from
    the request, as it is or in quotes

It is trained on the pairs of `bench/wordings/` but for one in fourteen, which are kept aside, and once more with other
names and numbers. Then the composer drafts the likeliest wording that it reads for each request kept aside; its code is
compared with that of the plain wording. Numbers, names, colours and paths can only be copied, and each has to be.

Takes some half an hour on two cores. Nothing of it is used by the service.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import math
import random
import re
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from app.blenders import blenders_of
from app.drafting.composer import Composer
from app.drafting.composer.tokens import Token, tokenize
from app.drafting.draft import NotUnderstood
from app.manifests import Manifests
from app.settings import read_settings
from bench.wordings import WORDINGS, code_of, read_pairs
from harness.blenders import choose
from ingest import torchvision_schemas
from ingest.embed import Vectors
from ingest.export import PACKAGED, model_folder

WIDTH: Final = 144
LAYERS: Final = 2
HEADS: Final = 4
STATES: Final = (0, 3, 6)
"""Layers of the embedding model whose states are taken: the words themselves, and what stands around them."""
LONGEST: Final = 110
BATCH: Final = 48
BEAMS: Final = 4
KINDS: Final = ("word", "number", "quoted", "path", "hex", "mark", "junk")
NAMES: Final = (
    "Table", "Lamp", "Rock", "Tree", "House", "Door", "Wheel", "Arm", "Gear", "Bottle", "Vase", "Fence", "Roof",
    "Tower", "Robot", "Drone", "Ship", "Barrel", "Ring", "Sword", "Leaf", "Pillar", "Panel", "Clock", "Hand", "Head",
    "Pipe", "hero_body", "prop_03", "SM_Wall", "env_rock", "GEO_hull", "Base.001", "main_rig", "Arm_L", "Leg.R",
)  # fmt: skip
COUNTED: Final = {
    "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "twelve": 12,
}  # fmt: skip
END: Final = "<end>"


@dataclass(frozen=True)
class Example:
    """A request with the states of its words, (n, 3 x 384), and the right actions for each step of the wording.

    An action below the length of the vocabulary writes that word; behind it there are two for each word of the request:
    copy it, and copy it in quotes.
    """

    request: str
    wording: str
    tokens: list[Token]
    states: Vectors
    steps: list[list[int]]


def main() -> None:
    """Train, measure, print."""
    parser = argparse.ArgumentParser(description="Train a network that rewords requests, and measure it.")
    parser.add_argument("--epochs", type=int, default=14)
    parser.add_argument("--shown", type=int, default=500, help="pairs kept aside that are drafted")
    given = parser.parse_args()
    torch = load_torch()

    torch.manual_seed(0)
    chance = random.Random(0)
    learnt, kept = pairs()
    rows = [
        *learnt,
        *(varied(*pair, chance) for pair in learnt),
        *(varied(plain, plain, chance) for _, plain in learnt),
    ]
    vocabulary = vocabulary_of(rows)
    states = States()
    examples = list(examples_of(list(dict.fromkeys(rows)), vocabulary, states))
    aside = list(examples_of(kept, vocabulary, states))
    print(f"{len(examples)} examples of {len(learnt)} pairs, {len(aside)} kept aside, {len(vocabulary)} words")
    network = Network(len(vocabulary))
    train(network, examples, aside, given.epochs, chance)
    chance.shuffle(aside)
    report(network, aside[: given.shown], vocabulary)


def load_torch() -> Any:
    """PyTorch, without its types, which are partial."""
    import torch

    return torch


# What is learnt


def pairs() -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """The pairs that are learnt, and those kept aside: one in fourteen, by the hash of what was said."""
    learnt: list[tuple[str, str]] = []
    kept: list[tuple[str, str]] = []
    for file in sorted(WORDINGS.glob("*.jsonl")):
        for said, plain in read_pairs(file):
            digest = int(hashlib.sha256(said.encode()).hexdigest(), 16)
            (learnt if digest % 14 else kept).append((said, plain))
    return learnt, kept


def varied(said: str, plain: str, chance: random.Random) -> tuple[str, str]:
    """The same pair with other names, and with other numbers in most places."""
    for token in tokenize(plain):
        if token.kind == "quoted" and re.fullmatch(r"[A-Z][\w.]*|\w+_\w+", token.text):
            pattern, other = rf"(?<![\w.]){re.escape(token.text)}(?!\w)", chance.choice(NAMES)
        elif token.kind == "number" and re.fullmatch(r"\d+(\.\d+)?", token.text) and float(token.text) > 3:
            pattern = rf"(?<![\w.#]){re.escape(token.text)}(?!\.?\d)"
            places = len(token.text.partition(".")[2])
            other = f"{max(4.0, float(token.text) * chance.uniform(0.5, 1.8)):.{places}f}"
        else:
            continue
        if re.search(pattern, said) and chance.random() < 0.8:
            said, plain = re.sub(pattern, other, said), re.sub(pattern, other, plain)
    return said, plain


def vocabulary_of(rows: Sequence[tuple[str, str]]) -> list[str]:
    """The words and marks that plain wordings use more than twice, the end first."""
    count = Counter(
        token.text.lower() for _, plain in rows for token in tokenize(plain) if token.kind in {"word", "mark"}
    )
    return [END, *sorted(word for word, times in count.items() if times > 2)]


class States:
    """The states of the words of a text in the packaged embedding model."""

    def __init__(self) -> None:
        torchvision_schemas.declare()
        from tokenizers import Tokenizer
        from transformers import AutoModel

        auto: Any = AutoModel
        folder = model_folder(PACKAGED)
        self._model: Final = auto.from_pretrained(str(folder)).eval()
        self._tokenizer: Final[Any] = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(256)

    def of(self, text: str, tokens: Sequence[Token]) -> Vectors:
        """One row a token: the mean over the pieces that the model cuts it into."""
        torch = load_torch()

        pieces = self._tokenizer.encode(text)
        with torch.inference_mode():
            every = self._model(input_ids=torch.tensor([pieces.ids]), output_hidden_states=True).hidden_states
            states = torch.cat([every[layer][0] for layer in STATES], dim=-1).numpy()
        found = np.zeros((len(tokens), states.shape[1]), dtype=np.float32)
        for place, token in enumerate(tokens):
            its = [
                k
                for k, (start, end) in enumerate(pieces.offsets)
                if start < end and start < token.end and end > token.start
            ]
            if its:
                found[place] = states[its].mean(axis=0)
        return found


def examples_of(rows: Sequence[tuple[str, str]], vocabulary: list[str], states: States) -> Iterator[Example]:
    """The pairs as examples, without those that are too long or hold what can be neither written nor copied."""
    index = {word: place for place, word in enumerate(vocabulary)}
    for said, plain in rows:
        tokens, wanted = tokenize(said), tokenize(plain)
        if not 0 < len(tokens) <= LONGEST or len(wanted) > LONGEST:
            continue
        steps = [[*written(token, index), *copies(token, tokens, len(vocabulary))] for token in wanted]
        if all(steps):
            yield Example(said, plain, tokens, states.of(said, tokens), [*steps, [index[END]]])


def written(token: Token, index: dict[str, int]) -> list[int]:
    word = token.text.lower()
    return [index[word]] if token.kind in {"word", "mark"} and word in index else []


def copies(wanted: Token, tokens: Sequence[Token], words: int) -> Iterator[int]:
    """The pointers to what may be copied for a token of the wording."""
    for place, token in enumerate(tokens):
        if wanted.kind == "quoted":
            if token.text == wanted.text:
                yield words + 2 * place + (token.kind != "quoted")
        elif fixed(wanted) is not None:
            if fixed(wanted) == fixed(token):
                yield words + 2 * place
        elif wanted.kind == "word" and token.word == wanted.word:
            yield words + 2 * place


def fixed(token: Token) -> object:
    """What of a token has to be copied: a number, a name in quotes, a colour or a path; None for others."""
    if token.kind == "number":
        return float(token.text)
    if token.word in COUNTED:
        return float(COUNTED[token.word])
    return token.text.lower() if token.kind in {"quoted", "hex", "path"} else None


# The network


class Network:
    """A transformer from the states of a request to actions."""

    def __init__(self, words: int, dropout: float = 0.25) -> None:
        torch = load_torch()
        nn = torch.nn

        def layer(kind: Any) -> Any:
            return kind(WIDTH, HEADS, 2 * WIDTH, dropout, "gelu", batch_first=True, norm_first=True)

        self.words: Final = words
        self.parts: Final[Any] = nn.ModuleDict({
            "states": nn.Sequential(nn.Dropout(dropout), nn.Linear(384 * len(STATES), WIDTH)),
            "kind": nn.Embedding(len(KINDS), WIDTH), "capital": nn.Embedding(2, WIDTH),
            "place": nn.Embedding(LONGEST + 1, WIDTH), "step": nn.Embedding(LONGEST + 2, WIDTH),
            "word": nn.Embedding(words, WIDTH), "copy": nn.Linear(WIDTH, WIDTH), "way": nn.Embedding(3, WIDTH),
            "request": nn.TransformerEncoder(
                layer(nn.TransformerEncoderLayer), LAYERS, nn.LayerNorm(WIDTH), enable_nested_tensor=False
            ),
            "wording": nn.TransformerDecoder(layer(nn.TransformerDecoderLayer), LAYERS, nn.LayerNorm(WIDTH)),
            "say": nn.Linear(WIDTH, words), "point": nn.Linear(WIDTH, WIDTH), "quote": nn.Linear(WIDTH, WIDTH),
        })  # fmt: skip
        for name in ("kind", "capital", "place", "step", "way", "word"):
            torch.nn.init.normal_(self.parts[name].weight, std=0.02 if name != "word" else WIDTH**-0.5)

    def read(self, examples: Sequence[Example]) -> tuple[Any, Any]:
        """Requests as (batch, words, width), and where there is none."""
        torch = load_torch()

        longest = max(len(one.tokens) for one in examples)
        states = torch.zeros(len(examples), longest, 384 * len(STATES))
        facts = torch.zeros(2, len(examples), longest, dtype=torch.long)
        nothing = torch.ones(len(examples), longest, dtype=torch.bool)
        for row, one in enumerate(examples):
            count = len(one.tokens)
            states[row, :count] = torch.from_numpy(one.states)
            facts[0, row, :count] = torch.tensor([KINDS.index(token.kind) for token in one.tokens])
            facts[1, row, :count] = torch.tensor([token.text[:1].isupper() for token in one.tokens])
            nothing[row, :count] = False
        part = self.parts
        x = part["states"](states) + part["kind"](facts[0]) + part["capital"](facts[1]) + part["place"].weight[:longest]
        return part["request"](x, src_key_padding_mask=nothing), nothing

    def following(self, actions: Any, memory: Any, nothing: Any) -> Any:
        """Log probabilities (batch, steps, actions) of what follows each of these actions; -1 is the beginning."""
        torch = load_torch()

        part, steps = self.parts, actions.shape[1]
        pointer = (actions - self.words).clamp(min=0)
        place = (pointer // 2).clamp(max=memory.shape[1] - 1)[..., None].expand(-1, -1, WIDTH)
        copied = part["copy"](torch.gather(memory, 1, place))
        said = part["word"](actions.clamp(0, self.words - 1)) * math.sqrt(WIDTH) * 0.3
        x = torch.where((actions >= self.words)[..., None], copied, said * (actions >= 0)[..., None])
        x = x + part["way"](torch.where(actions >= self.words, 1 + pointer % 2, 0)) + part["step"].weight[:steps]
        later = torch.triu(torch.ones(steps, steps, dtype=torch.bool), 1)
        x = part["wording"](x, memory, tgt_mask=later, memory_key_padding_mask=nothing)
        pointers = [
            (part[way](x) @ memory.transpose(1, 2) / math.sqrt(WIDTH)).masked_fill(nothing[:, None], -1e9)
            for way in ("point", "quote")
        ]
        return torch.cat([part["say"](x), torch.stack(pointers, dim=-1).flatten(-2)], dim=-1).log_softmax(-1)


def train(
    network: Network, examples: Sequence[Example], aside: Sequence[Example], epochs: int, chance: random.Random
) -> None:
    """Fit the network, and print after each epoch how well it tells the pairs that are kept aside."""
    torch = load_torch()

    optimizer: Any = torch.optim.AdamW(network.parts.parameters(), lr=1e-3, weight_decay=0.05, betas=(0.9, 0.98))
    steps = epochs * (len(examples) // BATCH)
    schedule: Any = torch.optim.lr_scheduler.OneCycleLR(optimizer, 1.5e-3, total_steps=steps + 1, pct_start=0.15)
    started = time.monotonic()
    for epoch in range(epochs):
        network.parts.train()
        order = sorted(examples, key=lambda one: len(one.tokens) + 6 * chance.random())
        batches = [order[start : start + BATCH] for start in range(0, len(order) - BATCH + 1, BATCH)]
        chance.shuffle(batches)
        losses: list[float] = []
        for batch in batches:
            loss = loss_of(network, batch, chance)
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(network.parts.parameters(), 1.0)
            optimizer.step()
            schedule.step()
            losses.append(loss.item())
        network.parts.eval()
        with torch.no_grad():
            told = [
                loss_of(network, aside[start : start + BATCH], chance).item() for start in range(0, len(aside), BATCH)
            ]
        seconds = time.monotonic() - started
        print(
            f"epoch {epoch}: {np.mean(losses):.3f} nats a step, kept aside {np.mean(told):.3f}; {seconds:.0f} s",
            flush=True,
        )


def loss_of(network: Network, batch: Sequence[Example], chance: random.Random) -> Any:
    """Mean negative log probability of a right action, over the steps of the wordings."""
    torch = load_torch()

    memory, nothing = network.read(batch)
    longest = max(len(one.steps) for one in batch)
    before = torch.zeros(len(batch), longest, dtype=torch.long)
    right = torch.zeros(len(batch), longest, network.words + 2 * memory.shape[1], dtype=torch.bool)
    counts = torch.zeros(len(batch), longest)
    for row, one in enumerate(batch):
        before[row, 0] = -1
        for step, actions in enumerate(one.steps):
            right[row, step, actions] = True
            counts[row, step] = 1.0
            if step + 1 < len(one.steps):
                before[row, step + 1] = chance.choice(actions)
    told = network.following(before, memory, nothing).masked_fill(~right, -1e9).logsumexp(-1)
    return -(told * counts).sum() / counts.sum()


# What comes of it


def report(network: Network, aside: Sequence[Example], vocabulary: list[str]) -> None:
    """Draft what each request is reworded to, and print how many came to the right code, by sureness."""
    settings = read_settings()
    manifest = Manifests(settings.home).of(choose(blenders_of(settings), None))
    composer = Composer()
    found: list[tuple[float, bool, bool]] = []
    for one in aside:
        wanted, direct = (code_of(composer, manifest, text) for text in (one.wording, one.request))
        for sureness, text in wordings(network, one, vocabulary):
            code = code_of(composer, manifest, text)
            if not isinstance(code, NotUnderstood):
                found.append((sureness, code == wanted, not isinstance(direct, NotUnderstood)))
                break
    print(f"of {len(aside)} kept aside; in brackets without those that the composer reads as they are")
    for least in (-0.05, -0.1, -0.2, -0.3, -9.0):
        sure = [(same, direct) for sureness, same, direct in found if sureness >= least]
        new = [same for same, direct in sure if not direct]
        same = sum(same for same, _ in sure)
        print(f"sureness from {least}: {len(sure)} drafted ({len(new)}), {same} of them the same code ({sum(new)})")


def wordings(network: Network, example: Example, vocabulary: list[str]) -> Iterator[tuple[float, str]]:
    """Plain wordings with the mean log probability of a step, the surest first; each copies all that is fixed."""
    torch = load_torch()

    places: dict[object, set[int]] = {}
    for place, token in enumerate(example.tokens):
        if fixed(token) is not None:
            places.setdefault(fixed(token), set()).update(network.words + 2 * place + way for way in (0, 1))
    beams: list[tuple[float, tuple[int, ...]]] = [(0.0, ())]
    done: list[tuple[float, str]] = []
    with torch.inference_mode():
        memory, nothing = network.read([example])
        for _ in range(LONGEST):
            longer: list[tuple[float, tuple[int, ...]]] = []
            for score, actions in beams:
                told = network.following(torch.tensor([[-1, *actions]]), memory, nothing)[0, -1]
                if any(not pointers & set(actions) for pointers in places.values()):
                    told[0] = -1e9
                best = told.topk(BEAMS + 1)
                longer += [
                    (score + value, (*actions, action))
                    for value, action in zip(best.values.tolist(), best.indices.tolist(), strict=True)
                    if value > -1e8
                ]
            longer.sort(reverse=True)
            for score, actions in longer[: 2 * BEAMS]:
                if actions[-1] == 0:
                    done.append((score / len(actions), said(actions[:-1], example, vocabulary)))
            beams = [beam for beam in longer[: 2 * BEAMS] if beam[1][-1] != 0][:BEAMS]
            if len(done) >= BEAMS or not beams:
                break
    yield from sorted(done, reverse=True)


def said(actions: Sequence[int], example: Example, vocabulary: list[str]) -> str:
    """The wording that these actions write."""
    words: list[str] = []
    for action in actions:
        place, quoted = divmod(action - len(vocabulary), 2)
        if place < 0:
            words.append(vocabulary[action])
        else:
            token = example.tokens[place]
            words.append(f'"{token.text}"' if quoted or token.kind == "quoted" else token.text)
    return " ".join(words)


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt):
        main()
