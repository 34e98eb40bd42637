"""What is proposed where the composer refuses."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from app.drafting.composer import Composer
from app.drafting.composer.tokens import tokenize
from app.drafting.draft import NotUnderstood
from app.drafting.rewording import states
from app.drafting.rewording.copied import fixed, is_name
from app.drafting.rewording.network import Beam, Network, Wording, erf, followers, load_network
from app.drafting.rewording.reworder import Reworder
from app.drafting.rewording.states import Preparation, States, rows_of, whole
from ingest.exporting import ModelUnusable
from ingest.manifest import Manifest
from tests.conftest import HOME


@pytest.fixture(scope="session")
def reworder() -> Reworder:
    """The network as it is shipped."""
    made = Reworder(HOME)
    made.load()
    return made


@pytest.fixture(scope="session")
def network_states() -> States:
    return States(Preparation(HOME).folder())


def covered(request_: str, manifest: Manifest) -> bool:
    try:
        Composer().draft(request_, manifest)
    except NotUnderstood:
        return False
    return True


def test_everything_proposed_is_covered_and_keeps_what_is_fixed(reworder: Reworder, manifest: Manifest) -> None:
    asked = [
        'the vase ("Vase") could be rougher, .7 say',
        "Ball should be resting 2 m higher than it is",
        "Get rid of whatever materials nobody uses",
        "Chair must never be seen in renders",
        "Everything on Cam_2 happens too late, its keyframes should come 12 frames earlier",
    ]
    refused = [request for request in asked if not covered(request, manifest)]
    assert refused
    for request in refused:
        proposed = reworder.propose(request, Composer(), manifest)
        assert proposed, request
        for wording in proposed:
            assert covered(wording, manifest), wording
            kept = {fixed(token) for token in tokenize(wording)}
            assert {fixed(token) for token in tokenize(request)} <= kept, wording


@pytest.mark.parametrize(
    ("request_", "names"),
    [
        ("hide SM_Wall and Crate02 while Lamp.001 stays", {"SM_Wall", "Crate02", "Lamp.001"}),
        ("put the word Welcome along the curve", {"Welcome"}),
        ("Render with Cycles, I'll watch. Then save", set[str]()),
        ("use an HDRI and 2.5 m of fog", set[str]()),
    ],
)
def test_names_without_quotes_are_told_from_words(request_: str, names: set[str]) -> None:
    tokens = tokenize(request_)
    assert {token.text for place, token in enumerate(tokens) if is_name(tokens, place, {"cycles"})} == names


def test_a_name_without_quotes_is_in_every_wording(reworder: Reworder) -> None:
    wordings = reworder.wordings("only Left_wing and Right_wing render, the other meshes don't")
    assert wordings
    assert all({"Left_wing", "Right_wing"} <= {token.text for token in tokenize(one.text)} for one in wordings)


def test_a_request_too_long_or_empty_has_no_wordings(reworder: Reworder) -> None:
    assert reworder.wordings("") == []
    assert reworder.wordings("a cube " * 80) == []
    assert reworder.wordings("a cube " * 4)


def test_a_network_that_is_not_loaded_proposes_nothing(tmp_path: Path, manifest: Manifest) -> None:
    made = Reworder(tmp_path)
    assert (made.ready, made.propose("add a cube", Composer(), manifest)) == (False, [])
    made.close()


class Written:
    """A reworder whose network wrote these."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.reworder = Reworder(Path("nowhere"))
        self._monkeypatch = monkeypatch

    def propose(self, texts: list[str], manifest: Manifest) -> list[str]:
        written = [Wording(text, -0.1) for text in texts]

        def wordings(_request: str) -> list[Wording]:
            return written

        self._monkeypatch.setattr(self.reworder, "wordings", wordings)
        return self.reworder.propose("anything", Composer(), manifest)


def test_wordings_that_are_refused_or_lead_to_the_same_code_are_left_out(
    manifest: Manifest, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = Written(monkeypatch)
    assert written.propose(["knit a sweater", "add a cube", "create a cube"], manifest) == ["add a cube"]
    twins = ["add a cube", "add a cone", "add a torus", "add a plane"]
    assert written.propose(twins, manifest) == twins[:3]


# The network


@pytest.fixture(scope="session")
def torch_network() -> Any:
    """The same weights in PyTorch's own layers."""
    torch = pytest.importorskip("torch")
    from bench.rewording import TaughtNetwork

    network = load_network()
    weights, vocabulary = vars(network)["_weights"], vars(network)["_vocabulary"]
    made = TaughtNetwork(len(vocabulary))
    made.parts.load_state_dict({name: torch.from_numpy(weight) for name, weight in weights.items()})
    made.parts.eval()
    return made


def test_the_network_computes_what_pytorch_does(torch_network: Any, network_states: States) -> None:
    import torch

    from bench.rewording import Example

    network = load_network()
    request = 'Make the "Vase" a bit rougher, .7 say, and lift it 2 m'
    tokens = tokenize(request)
    seen = network_states.of(request, tokens)
    words = torch_network.words
    actions = [words + 4, 5, words + 1, words - 1]
    with torch.inference_mode():
        memory, nothing = torch_network.read([Example(tokens, seen, [])])
        wanted = torch_network.following(torch.tensor([[-1, *actions]]), memory, nothing)[0, -1].numpy()
    read: Callable[..., Any] = vars(Network)["_read"]
    following: Callable[..., Any] = vars(Network)["_following"]
    begin: Callable[..., Any] = vars(Network)["_begin"]
    remembered = read(network, tokens, seen)
    told: Any
    told, so_far = begin(network, remembered)
    for step, action in enumerate(actions, start=1):
        told, so_far = following(network, np.array([action]), step, remembered, so_far)
    found = told[0]
    assert np.abs(found - wanted)[wanted > -50].max() < 1e-3
    assert found.argmax() == wanted.argmax()


def test_beams_follow_the_likeliest_actions() -> None:
    told = np.log(np.array([[0.1, 0.2, 0.3, 0.15, 0.05, 0.12, 0.08]]))
    best, row = max(followers([Beam(-1.0, (3,))], told), key=lambda one: one[0].likelihood)
    assert (best.actions, row) == ((3, 2), 0)
    assert best.likelihood == pytest.approx(-1.0 + np.log(0.3))


def test_the_error_function() -> None:
    points = np.array([-2.0, -0.5, 0.0, 0.3, 1.0, 3.0])
    wanted = [-0.9953222650, -0.5204998778, 0.0, 0.3286267595, 0.8427007929, 0.9999779095]
    assert erf(points) == pytest.approx(wanted, abs=2e-7)


# The states


def test_each_word_takes_the_mean_of_its_pieces() -> None:
    tokens = tokenize("bevel it")
    offsets = [(0, 0), (0, 2), (2, 5), (6, 8)]
    pieces = np.array([[9.0], [1.0], [3.0], [5.0]], dtype=np.float32)
    assert rows_of(tokens, offsets, pieces).tolist() == [[2.0], [5.0]]
    assert rows_of(tokens, offsets[:3], pieces[:3]).tolist() == [[2.0], [0.0]]


def test_like_words_have_like_states(network_states: States) -> None:
    def state(text: str, word: int) -> Any:
        row = network_states.of(text, tokenize(text))[word]
        return row / np.linalg.norm(row)

    shiny = state("make the vase shiny", 3)
    assert shiny @ state("make the vase glossy", 3) > shiny @ state("make the vase and the lamp", 3)


def test_damaged_files_are_found(tmp_path: Path) -> None:
    made = Preparation(HOME).folder()
    copy = tmp_path / "rewording"
    copy.mkdir()
    for file in made.iterdir():
        (copy / file.name).write_bytes(file.read_bytes())
    assert whole(copy)
    (copy / states.TOKENIZER_FILE).write_text("{}")
    assert not whole(copy)
    (copy / states.FACTS_FILE).write_text(json.dumps({"weights": 1}))
    assert not whole(copy)


def test_making_the_files_can_be_stopped(tmp_path: Path) -> None:
    preparation = Preparation(tmp_path)
    preparation.stop()
    with pytest.raises(ModelUnusable, match="stopped"):
        preparation.folder()
    assert not (tmp_path / "models" / "rewording").exists()
