"""CLIP as the service computes it: exported from open_clip once, near to it, and never blocking callers."""

from __future__ import annotations

import asyncio
import importlib
import json
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final

import numpy as np
import pytest

from app.artifacts.search import clip_export
from app.artifacts.search.clip import NO_WEIGHTS, PREPARING, STOPPED, Clip
from app.artifacts.search.clip_export import ODD_TEXTS, byte_pairs, nearness, open_model, reading_of, write_tower
from app.artifacts.search.index import Filters
from app.artifacts.search.towers import (
    FACTS,
    PICTURES,
    TOKENIZER,
    WORDS,
    ClipUnusable,
    Preparation,
    Tokenize,
    WordPreparation,
    prepare,
    read_facts,
)
from app.settings import Settings
from search import torchvision_schemas
from search.encoder import Vectors
from search.weights import packaged_weights
from tests.fixtures import serving
from tests.small_artifacts import draw, open_gallery, proof, publish, scenes
from tests.small_index import use_embedder

pytestmark = pytest.mark.slow

MODEL: Final = "small"


@pytest.fixture(scope="module")
def weights(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A folder with a small CLIP of our own making, as repositories of the hub have it."""
    torchvision_schemas.declare()
    import open_clip
    import torch

    folder = tmp_path_factory.mktemp("weights")
    vision = {"image_size": 32, "layers": 1, "width": 64, "head_width": 32, "patch_size": 16}
    text = {"context_length": 77, "vocab_size": 49408, "width": 32, "heads": 2, "layers": 1}
    config = {"embed_dim": 24, "vision_cfg": vision, "text_cfg": text}
    torch.manual_seed(7)  # pyright: ignore[reportUnknownMemberType]
    torch.save(open_clip.CLIP(**config).state_dict(), folder / "open_clip_pytorch_model.bin")
    (folder / "open_clip_config.json").write_text(json.dumps({"model_cfg": config}))
    return str(folder)


@pytest.fixture(scope="module")
def prepared(weights: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home that has the small CLIP, exported as the service does it."""
    home = tmp_path_factory.mktemp("home")
    clip = Clip(MODEL, weights, home)
    clip.load()
    clip.close()
    return home


@pytest.fixture
def clip(weights: str, prepared: Path) -> Iterator[Clip]:
    clip = Clip(MODEL, weights, prepared)
    yield clip
    clip.close()


def exported(home: Path) -> Path:
    """The one folder of a model in a home."""
    (folder,) = (home / "models").iterdir()
    return folder


# What is exported


def test_what_was_exported_is_whole_and_says_how_near_it_is(clip: Clip, prepared: Path) -> None:
    clip.load()
    folder = exported(prepared)
    assert sorted(file.name for file in folder.iterdir()) == sorted([PICTURES, WORDS, TOKENIZER, FACTS])
    facts = read_facts(folder, str(clip.identity))
    assert facts is not None and facts.dimensions == clip.dimensions == 24
    assert str(clip.identity).startswith(f"{MODEL}@")
    assert set(facts.precision) == set(facts.nearness) == {PICTURES, WORDS}
    assert min(facts.nearness.values()) > 0.98
    assert facts.reading == WordPreparation(cleaning="lower", blank=None, until_end=True)


def test_pictures_and_words_get_the_vectors_that_open_clip_gives(clip: Clip, weights: str) -> None:
    pictures = [draw("ball", "red"), draw("bars", "blue", 90), draw("arrow", "green", 300)]
    words = ["a ball", "A red ball on a wooden table,\nbeside a chair & a lamp", "ball " * 200, ""]
    found_pictures, found_words = clip.embed(pictures), clip.embed(words)
    import torch

    with torch.no_grad():
        network, transform, tokenize = open_model(MODEL, weights)
        exact_pictures = network.encode_image(torch.stack([transform(one) for one in pictures]), normalize=True).numpy()
        exact_words = network.encode_text(tokenize(words), normalize=True).numpy()
    assert nearness(exact_pictures, found_pictures) > 0.97
    assert nearness(exact_words, found_words) > 0.97


def test_a_vector_is_the_same_whatever_waits_beside_it(clip: Clip) -> None:
    pictures = [draw("ball", color, 40) for color in ("red", "green", "blue", "gold")]
    futures = [clip.submit(picture) for picture in pictures] + [clip.submit("a red ball")]
    vectors = [future.result() for future in futures]
    for picture, vector in zip(pictures, vectors, strict=False):
        assert np.array_equal(clip.embed([picture])[0], vector)
        assert abs(float((vector**2).sum()) - 1) < 1e-5


def test_no_words_are_too_odd(clip: Clip) -> None:
    for words in (*ODD_TEXTS, "\x00", "\ud800", "<end_of_text> a ball", "x" * 100_000):
        assert np.isfinite(clip.embed([words])).all()


def test_pytorch_stays_out_of_the_process(weights: str, prepared: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from PIL import Image; from app.artifacts.search.clip import Clip\n"
        "clip = Clip(sys.argv[1], sys.argv[2], Path(sys.argv[3]))\n"
        "clip.embed([Image.new('RGB', (9, 9))]), clip.embed(['a ball']), clip.close()\n"
        "print(sorted({'torch', 'open_clip', 'transformers'} & set(sys.modules)))"
    )
    command = [sys.executable, "-c", code, MODEL, weights, str(prepared)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


# Pictures


@pytest.mark.parametrize("mode", ["shortest", "longest", "squash"])
@pytest.mark.parametrize("target", [(32, 32), (48, 32), (30, 47)])
@pytest.mark.parametrize("interpolation", ["bicubic", "bilinear"])
def test_pictures_are_prepared_as_open_clip_prepares_them(
    mode: Any, target: tuple[int, int], interpolation: Any
) -> None:
    torchvision_schemas.declare()
    import open_clip

    mean, std = (0.48, 0.45, 0.4), (0.26, 0.25, 0.3)
    facts: Any = {"mean": mean, "std": std, "interpolation": interpolation, "resize_mode": mode, "fill_color": 77}
    own: Any = open_clip.transform
    transform = own.image_transform_v2(own.PreprocessCfg(size=target, **facts), is_train=False)
    # For pictures that are not square, open_clip scales the shortest edge in its own way.
    if mode == "shortest" and target[0] != target[1]:
        facts["interpolation"] = "bicubic"
    how = Preparation(size=target, **facts)
    for size in ((32, 32), (97, 31), (31, 97), (500, 20), (33, 32), (1, 1), (641, 480)):
        picture = draw("arrow", "green").resize(size)
        found, expected = prepare(picture, how)[0], transform(picture).numpy()
        assert found.shape == expected.shape
        assert abs(found - expected).max() * 0.3 < 1 / 255


# Words


@pytest.fixture(scope="module")
def own_tokenizer() -> Any:
    torchvision_schemas.declare()
    import open_clip

    return open_clip.get_tokenizer("ViT-B-32")


def test_words_become_the_tokens_of_open_clip(own_tokenizer: Any, tmp_path: Path) -> None:
    byte_pairs(own_tokenizer).save(str(tmp_path / TOKENIZER))
    tokenize = Tokenize(tmp_path / TOKENIZER, WordPreparation(cleaning="lower", blank=None, until_end=False))
    # Of the signs below the small iota of Greek one of the two thinks that it is a letter.
    every_seventh = [chr(code) * 2 for code in range(32, 0x3000, 7) if code != 0x345]
    texts = [*ODD_TEXTS, *every_seventh, "I'D it'S 'tis ''ll", "a\u00a0b\u200bc"]
    differ = [text for text in texts if tokenize(text)[0].tolist() != own_tokenizer([text])[0].tolist()]
    assert differ == []
    short = Tokenize(tmp_path / TOKENIZER, WordPreparation(cleaning="lower", blank=None, until_end=True))
    assert short("a cube")[0].tolist() == [49406, 320, 11353, 49407]
    assert short("ball " * 200).shape == (1, 77)


def test_a_mark_in_the_words_is_no_mark(own_tokenizer: Any, tmp_path: Path) -> None:
    byte_pairs(own_tokenizer).save(str(tmp_path / TOKENIZER))
    tokens = Tokenize(tmp_path / TOKENIZER, WordPreparation(cleaning="lower", blank=None, until_end=True))
    assert tokens("a <end_of_text> cube")[0].tolist().count(49407) == 1


@pytest.mark.parametrize("cleaning", ["lower", "whitespace", "canonicalize"])
def test_a_tokenizer_of_the_hub_is_taken_over(cleaning: str, tmp_path: Path) -> None:
    torchvision_schemas.declare()
    import open_clip

    strip = cleaning == "canonicalize"
    theirs: Any = open_clip.tokenizer.HFTokenizer(
        str(packaged_weights(tmp_path)), context_length=24, clean=cleaning, strip_sep_token=strip
    )
    reading = reading_of(None, theirs, tmp_path / TOKENIZER)
    assert (reading.blank is not None, reading.until_end) == (strip, False)
    tokens = Tokenize(tmp_path / TOKENIZER, reading)("Create, A snake_case CUBE")
    assert tokens[0].tolist() == theirs(["Create, A snake_case CUBE"])[0].tolist()


def test_an_unknown_tokenizer_is_refused(own_tokenizer: Any, tmp_path: Path) -> None:
    class Backwards:
        tokenizer = SimpleNamespace(backend_tokenizer=byte_pairs(own_tokenizer))

        def __call__(self, texts: list[str]) -> Any:
            return own_tokenizer([text[::-1] for text in texts])

    with pytest.raises(ClipUnusable, match="Backwards makes tokens in an unknown way"):
        reading_of(None, Backwards(), tmp_path / TOKENIZER)


# Towers


def test_a_tower_that_is_far_in_8_bits_stays_exact(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    torch: Any = importlib.import_module("torch")
    torch.manual_seed(3)
    tower = torch.nn.Linear(64, 16)
    probes = [np.random.default_rng(place).normal(size=(1, 64)).astype(np.float32) for place in range(5)]
    with torch.no_grad():
        exact = [tower(torch.from_numpy(probe)) for probe in probes]
        precision, near = write_tower(tower, tmp_path / PICTURES, "pixels", probes, exact)
        assert precision == "int8" and 0.98 < near < 1
        monkeypatch.setattr(clip_export, "NEAREST_ALLOWED", 1.1)
        assert write_tower(tower, tmp_path / PICTURES, "pixels", probes, exact) == ("float32", 1.0)
        with pytest.raises(ClipUnusable, match="gives other vectors"):
            write_tower(tower, tmp_path / PICTURES, "pixels", probes, [-one for one in exact])
    assert [file.name for file in tmp_path.iterdir() if file.name == PICTURES] == [PICTURES]


def test_a_tower_that_answers_the_same_for_all_is_not_near() -> None:
    exact = np.array([[1, 0.01, 0], [1, 0, 0.01], [1, -0.01, 0]], dtype=np.float32)
    same: Vectors = np.repeat(exact.mean(axis=0, keepdims=True) + 0.001, 3, axis=0)
    cosines = (exact * same).sum(axis=1) / np.linalg.norm(exact, axis=1) / np.linalg.norm(same, axis=1)
    assert cosines.min() > 0.99
    assert nearness(exact, same) < 0.8
    assert nearness(exact, exact) > 0.9999


# Weights


def test_no_weights_are_said(tmp_path: Path) -> None:
    clip = Clip(MODEL, None, tmp_path)
    with pytest.raises(ClipUnusable, match="Without CLIP weights"):
        clip.load()
    assert (clip.problem, clip.configured) == (NO_WEIGHTS, False)
    clip.close()


@pytest.mark.parametrize(
    ("model", "file"),
    [("ViT-B-32", "no-such-weights"), ("no-such-model", "broken.pt"), ("ViT-B-32", "broken.pt"), (MODEL, "empty")],
)
def test_weights_that_cannot_be_used_are_named(model: str, file: str, weights: str, tmp_path: Path) -> None:
    (tmp_path / "broken.pt").write_bytes(b"no weights")
    (tmp_path / "empty").mkdir()
    shutil.copy(Path(weights) / "open_clip_config.json", tmp_path / "empty")
    named = str(tmp_path / file) if (tmp_path / file).exists() else file
    with pytest.raises(ClipUnusable, match=r"cannot be loaded: .+ Check BLENDPROOF_CLIP_MODEL") as refused:
        open_model(model, named)
    assert named in str(refused.value) and "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("file", "said"), [("/nowhere/weights.pt", "There is no file"), ("broken", "cannot be loaded")]
)
def test_without_usable_weights_all_else_is_found(file: str, said: str, tmp_path: Path) -> None:
    broken = tmp_path / "broken.pt"
    broken.write_bytes(b"no weights")
    clip = Clip("ViT-S-32", str(broken) if file == "broken" else file, tmp_path)
    gallery = open_gallery(tmp_path, clip)
    publish(gallery, proof(tmp_path, "a golden ball", draw("ball", "gold")))
    with pytest.raises(ClipUnusable, match=said):
        clip.load()
    gallery.settled()
    found = gallery.search_words("golden ball", Filters(), 1)
    gallery.close()
    assert [hit.artifact.title for hit in found.hits] == ["a golden ball"]
    assert any(said in one for one in found.missing)


def test_an_export_that_dies_is_named(weights: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for program, said in (("/bin/false", "cannot be prepared: it said nothing"), ("/nowhere", "cannot be prepared")):
        monkeypatch.setattr(sys, "executable", program)
        clip = Clip(MODEL, weights, tmp_path)
        with pytest.raises(ClipUnusable, match=said):
            clip.load()
        assert (clip.preparing, list((tmp_path / "models").iterdir())) == (False, [])
        clip.close()


def damage_tower(folder: Path) -> None:
    with (folder / WORDS).open("r+b") as file:
        file.seek(1000)
        file.write(b"damage")


def lose_tokenizer(folder: Path) -> None:
    (folder / TOKENIZER).unlink()


def older_facts(folder: Path) -> None:
    (folder / FACTS).write_text(json.dumps(json.loads((folder / FACTS).read_text()) | {"form": 0}))


def list_for_facts(folder: Path) -> None:
    (folder / FACTS).write_text("[]")


@pytest.mark.parametrize("damage", [damage_tower, lose_tokenizer, older_facts, list_for_facts])
def test_a_damaged_export_is_made_again(
    damage: Any, weights: str, prepared: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(prepared, tmp_path, dirs_exist_ok=True)
    made: list[str] = []

    def export(_: Clip, arguments: list[str]) -> None:
        made.append(arguments[0])
        shutil.copytree(exported(prepared), arguments[-1], dirs_exist_ok=True)

    monkeypatch.setattr(Clip, "_run_export", export)
    damage(exported(tmp_path))
    for _ in range(2):
        clip = Clip(MODEL, weights, tmp_path)
        clip.load()
        clip.close()
    assert made == [MODEL]


# With artifacts


def test_artifacts_are_found_by_clip(clip: Clip, tmp_path: Path) -> None:
    gallery = open_gallery(tmp_path, clip)
    assert clip.identity is None
    publish(gallery, *scenes(tmp_path))
    found = gallery.search_picture(draw("arrow", "green", 128, 40), Filters(), 3)
    assert found.missing == []
    by_clip = {hit.artifact.title: reason for hit in found.hits for reason in hit.why if "looks like it" in reason}
    assert max(by_clip, key=lambda title: float(by_clip[title].split("(")[1][:-1])) == "a curve with a green arrow"
    assert gallery.search_words("arrow", Filters(), 3).missing == []
    gallery.close()


def test_weights_that_come_later_are_used_for_what_is_there(clip: Clip, tmp_path: Path) -> None:
    without = open_gallery(tmp_path)
    publish(without, proof(tmp_path, "a golden ball", draw("ball", "gold")))
    assert without.search_picture(draw("ball", "gold"), Filters(), 1).missing == [NO_WEIGHTS]
    without.close()
    gallery = open_gallery(tmp_path, clip)
    gallery.settled()
    found = gallery.search_picture(draw("ball", "gold"), Filters(), 1)
    assert found.hits[0].why == ("the same picture", "looks like it (1.00)")
    gallery.close()


# While it is prepared


@pytest.fixture
def slow_export(prepared: Path, monkeypatch: pytest.MonkeyPatch) -> threading.Event:
    """The export waits for this, and is a copy then."""
    go_on = threading.Event()

    def export(_: Clip, arguments: list[str]) -> None:
        assert go_on.wait(60)
        shutil.copytree(exported(prepared), arguments[-1], dirs_exist_ok=True)

    monkeypatch.setattr(Clip, "_run_export", export)
    return go_on


def test_nobody_waits_for_a_clip_that_is_prepared(weights: str, tmp_path: Path, slow_export: threading.Event) -> None:
    clip = Clip(MODEL, weights, tmp_path)
    gallery = open_gallery(tmp_path, clip)
    publish(gallery, *scenes(tmp_path))
    found = gallery.search_picture(draw("ball", "gold"), Filters(), 1)
    assert (len(found.hits), found.missing, clip.preparing) == (1, [PREPARING], True)
    with pytest.raises(ClipUnusable, match="being prepared"):
        clip.submit("a ball").result(5)
    slow_export.set()
    assert wait_for(lambda: gallery.search_words("ball", Filters(), 1).missing == [])
    assert (clip.preparing, clip.problem) == (False, None)
    assert wait_for(lambda: len(list((tmp_path / "artifacts").glob("*/embeddings/picture.npz"))) == 3)
    gallery.close()


def test_vectors_that_are_there_are_kept_while_clip_is_prepared(
    clip: Clip, weights: str, tmp_path: Path, slow_export: threading.Event
) -> None:
    """As after an update from a release that exported nothing: the vectors are those of the same model."""
    before = open_gallery(tmp_path, clip)
    publish(before, *scenes(tmp_path))
    before.close()
    table = [path.name for path in (tmp_path / "gallery").glob("artifacts-*.lance")]
    gallery = open_gallery(tmp_path, Clip(MODEL, weights, tmp_path))
    publish(gallery, proof(tmp_path, "a red ball", draw("ball", "red"), run="r-9"))
    assert PREPARING in gallery.search_words("ball", Filters(), 1).missing
    near = gallery.similar(gallery.search_words("golden ball", Filters(), 1).hits[0].artifact.id, 3)
    assert any("looks like it" in why for hit in near.hits for why in hit.why)
    slow_export.set()
    assert wait_for(lambda: gallery.search_words("ball", Filters(), 1).missing == [])
    assert wait_for(lambda: len(list((tmp_path / "artifacts").glob("*/embeddings/picture.npz"))) == 4)
    gallery.close()
    assert [path.name for path in (tmp_path / "gallery").glob("artifacts-*.lance")] == table


def test_stopping_does_not_wait_for_the_export(weights: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "sleeps"
    program.write_text("#!/bin/sh\nexec sleep 60\n")
    program.chmod(0o700)
    monkeypatch.setattr(sys, "executable", str(program))
    clip = Clip(MODEL, weights, tmp_path)
    gallery = open_gallery(tmp_path, clip)
    publish(gallery, *scenes(tmp_path))
    assert clip.preparing
    started = time.monotonic()
    gallery.close()
    assert time.monotonic() - started < 10
    assert list((tmp_path / "models").iterdir()) == []
    with pytest.raises(ClipUnusable, match=STOPPED):
        clip.submit("a ball").result(5)


async def test_the_service_says_that_clip_is_prepared(
    weights: str, settings: Settings, tmp_path: Path, slow_export: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    use_embedder(monkeypatch)
    before = open_gallery(settings.data_folder)
    publish(before, *scenes(tmp_path))
    before.close()

    def open_small(*_: Any) -> Clip:
        return Clip(MODEL, weights, tmp_path)

    monkeypatch.setattr("app.service.startup.Clip", open_small)
    async with serving(settings) as client:
        await wait_for_part(client, "degraded")
        found = (await client.get("/search", params={"q": "golden ball", "kind": "artifacts"})).json()
        assert found["hits"][0]["artifact"]["title"] == "add a golden ball"
        assert PREPARING in found["missing"]
        slow_export.set()
        await wait_for_part(client, "ok")


async def wait_for_part(client: Any, state: str) -> None:
    part: Any = None
    for _ in range(1200):
        part = (await client.get("/health")).json()["parts"]["clip"]
        if part["state"] == state and (state == "ok") == ("is loaded" in part["message"]):
            return
        await asyncio.sleep(0.1)
    raise AssertionError(part)


def wait_for(what: Any) -> bool:
    until = time.monotonic() + 120
    while not what() and time.monotonic() < until:
        time.sleep(0.05)
    return bool(what())
