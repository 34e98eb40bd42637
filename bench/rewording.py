"""Teaches the network of `app/drafting/rewording` to put people's words into plain ones, and measures it.

    python -m bench.rewording [--epochs 12] [--write] [--show]     teach a new one; measure and keep it with --write
    python -m bench.rewording --measure [--show]                   measure the one that is there

It is taught the pairs of `bench/wordings/` but for one in fourteen, which are kept aside; once more with other names
and numbers; two or three of them as one request; and plain wordings as wordings of themselves. Numbers, names, colors
and paths can only be copied, and each has to be.

Then each request kept aside that the composer refuses is reworded. The first wording that the composer covers counts as
the same where it leads to the very code of the plain wording; the others are as good in some cases and wrong in more.
Teaching takes three quarters of an hour on two cores.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import json
import math
import random
import re
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from app.blenders import blenders_of
from app.drafting import rewording
from app.drafting.composer import Composer
from app.drafting.composer.tokens import Token, tokenize
from app.drafting.draft import NotUnderstood
from app.drafting.rewording.copied import fixed
from app.drafting.rewording.network import HEADS, KINDS, LAYERS, LONGEST, SAID_SCALE, WEIGHTS_FILE, WIDTH
from app.drafting.rewording.reworder import Reworder
from app.drafting.rewording.states import WIDTH as STATES_WIDTH
from app.drafting.rewording.states import Array, Preparation, States
from app.manifests import Manifests
from app.settings import read_settings
from bench.wordings import WORDINGS, code_of, read_pairs
from harness.blenders import choose

ASIDE: Final = 14
"""One pair of so many is kept aside, by the hash of what was said."""
BATCH: Final = 48
END: Final = "<end>"
NAMES: Final = (
    "Table", "Lamp", "Rock", "Tree", "House", "Door", "Wheel", "Arm", "Gear", "Bottle", "Vase", "Fence", "Roof",
    "Tower", "Robot", "Drone", "Ship", "Barrel", "Ring", "Sword", "Leaf", "Pillar", "Panel", "Clock", "Hand", "Head",
    "Pipe", "hero_body", "prop_03", "SM_Wall", "env_rock", "GEO_hull", "Base.001", "main_rig", "Arm_L", "Leg.R",
)  # fmt: skip
JOINTS: Final = ("; ", ". ", ", then ", ". Then ", " and ", ", ")
"""What stands between things that are asked for at once."""
SHORT: Final = 100
"""Characters of a request that is joined with others, at most."""


@dataclass(frozen=True)
class Example:
    """A request with the states of its words, and the right actions for each step of the wording."""

    tokens: list[Token]
    states: Array
    steps: list[list[int]]


def main() -> None:
    """Teach, measure, print."""
    parser = argparse.ArgumentParser(description="Teach the network that rewords requests, and measure it.")
    parser.add_argument("--measure", action="store_true", help="measure the one that is there")
    parser.add_argument("--epochs", type=int, default=12)
    parser.add_argument("--write", action="store_true", help="keep the new one, in place of the one that is there")
    parser.add_argument("--show", action="store_true", help="print each request with its wordings")
    given = parser.parse_args()
    learnt, kept = pairs()
    if not given.measure:
        teach(learnt, kept, given.epochs, given.write)
    if given.measure or given.write:
        report(kept, show=given.show)


def teach(learnt: Sequence[tuple[str, str]], kept: Sequence[tuple[str, str]], epochs: int, write_it: bool) -> None:
    """Teach a new network and print how well it tells the pairs kept aside."""
    torch = load_torch()
    torch.manual_seed(0)
    chance = random.Random(0)
    rows = [
        *learnt,
        *(varied(*pair, chance) for pair in learnt),
        *(varied(*pair, chance) for pair in joined(learnt, chance)),
        *(varied(plain, plain, chance) for _, plain in learnt[::2]),
    ]
    vocabulary = vocabulary_of(rows)
    states = States(Preparation(read_settings().home).folder())
    examples = list(examples_of(list(dict.fromkeys(rows)), vocabulary, states))
    aside = list(examples_of(kept, vocabulary, states))
    print(f"{len(examples)} examples of {len(learnt)} pairs, {len(aside)} kept aside, {len(vocabulary)} words")
    network = TaughtNetwork(len(vocabulary))
    train(network, examples, aside, epochs, chance)
    if write_it:
        write(network, vocabulary, Path(rewording.__path__[0]) / WEIGHTS_FILE)


def write(network: TaughtNetwork, vocabulary: list[str], file: Path) -> None:
    """Write the weights as half floats, by the names that PyTorch gives them, with the vocabulary as JSON."""
    weights = {name: weight.numpy().astype(np.float16) for name, weight in network.parts.state_dict().items()}
    np.savez_compressed(file, vocabulary=np.frombuffer(json.dumps(vocabulary).encode(), dtype=np.uint8), **weights)


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
            (learnt if digest % ASIDE else kept).append((said, plain))
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


def joined(learnt: Sequence[tuple[str, str]], chance: random.Random) -> Iterator[tuple[str, str]]:
    """Two or three short requests as one; as many as a fifth of the pairs."""
    short = [pair for pair in learnt if len(pair[0]) < SHORT]
    for _ in range(len(learnt) // 5):
        some = [chance.choice(short) for _ in range(chance.choice((2, 2, 3)))]
        joint = chance.choice(JOINTS)
        yield joint.join(said.rstrip(" .!;,") for said, _ in some), "; ".join(plain for _, plain in some)


def vocabulary_of(rows: Sequence[tuple[str, str]]) -> list[str]:
    """The words and marks that plain wordings use more than twice, the end first."""
    count = Counter(
        token.text.lower() for _, plain in rows for token in tokenize(plain) if token.kind in {"word", "mark"}
    )
    return [END, *sorted(word for word, times in count.items() if times > 2)]


def examples_of(rows: Sequence[tuple[str, str]], vocabulary: list[str], states: States) -> Iterator[Example]:
    """The pairs as examples, without those that are too long or hold what can be neither written nor copied."""
    index = {word: place for place, word in enumerate(vocabulary)}
    for said, plain in rows:
        tokens, wanted = tokenize(said), tokenize(plain)
        if not 0 < len(tokens) <= LONGEST or len(wanted) > LONGEST:
            continue
        steps = [[*written(token, index), *copies(token, tokens, len(vocabulary))] for token in wanted]
        if all(steps):
            yield Example(tokens, states.of(said, tokens), [*steps, [index[END]]])


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


# The network


class TaughtNetwork:
    """A transformer from the states of a request to actions."""

    def __init__(self, words: int, dropout: float = 0.25) -> None:
        torch = load_torch()
        nn = torch.nn

        def layer(kind: Any) -> Any:
            return kind(WIDTH, HEADS, 2 * WIDTH, dropout, "gelu", batch_first=True, norm_first=True)

        self.words: Final = words
        self.parts: Final[Any] = nn.ModuleDict({
            "states": nn.Sequential(nn.Dropout(dropout), nn.Linear(STATES_WIDTH, WIDTH)),
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
        states = torch.zeros(len(examples), longest, STATES_WIDTH)
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
        said = part["word"](actions.clamp(0, self.words - 1)) * SAID_SCALE
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
    network: TaughtNetwork, examples: Sequence[Example], aside: Sequence[Example], epochs: int, chance: random.Random
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


def loss_of(network: TaughtNetwork, batch: Sequence[Example], chance: random.Random) -> Any:
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


def report(kept: Sequence[tuple[str, str]], *, show: bool) -> None:
    """Reword what the composer refuses of the pairs kept aside, and print what came of it."""
    settings = read_settings()
    manifest = Manifests(settings.home).of(choose(blenders_of(settings), None))
    composer, reworder = Composer(), Reworder(settings.home)
    reworder.load()
    refused = [pair for pair in kept if isinstance(code_of(composer, manifest, pair[0]), NotUnderstood)]
    first, among, proposed, seconds = 0, 0, 0, 0.0
    for said, plain in refused:
        begun = time.perf_counter()
        texts = reworder.propose(said, composer, manifest)
        seconds += time.perf_counter() - begun
        wanted = code_of(composer, manifest, plain)
        same = [code_of(composer, manifest, text) == wanted for text in texts]
        proposed += bool(texts)
        first += same[:1] == [True]
        among += any(same)
        if show:
            print(f"said:   {said}\nplain:  {plain}")
            print(
                "\n".join(f"{'same' if right else 'other'}:  {text}" for right, text in zip(same, texts, strict=True))
            )
    print(f"{len(kept)} kept aside; the composer refuses {len(refused)}; {seconds / max(1, len(refused)):.2f} s each")
    print(f"something proposed for {proposed}; the first leads to the same code for {first}, one of three for {among}")


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt):
        main()
