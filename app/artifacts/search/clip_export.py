"""Turns a CLIP of open_clip into two ONNX files, in 8 bits if that is near enough; once per weights.

With them the service needs no PyTorch in its memory, and a picture takes half the time or less. Run as a process of its
own: `python -m app.artifacts.search.clip_export MODEL WEIGHTS IDENTITY FOLDER`.

Every export is checked: pixels, tokens and vectors are compared with open_clip's own for a few pictures and texts, and
a model with other results is refused.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import sys
from collections.abc import Generator, Sequence
from pathlib import Path
from typing import Any, Final, Literal, get_args

import numpy as np
from PIL import Image, ImageDraw, ImageFilter

from app.artifacts.search.towers import (
    FACTS,
    FORM,
    HUB,
    PICTURES,
    TOKENIZER,
    WORDS,
    Cleaning,
    ClipFacts,
    ClipUnusable,
    Preparation,
    Tokenize,
    WordPreparation,
    prepare,
    sha256_of,
)
from search import torchvision_schemas
from search.encoder import Vectors, open_session
from search.exporting import exit_of, write_int8, write_onnx

NEAREST_ALLOWED: Final = 0.98
"""Least nearness of a tower in 8 bits; a tower that misses it is kept in single precision."""
SAME: Final = 0.999
"""Least nearness of a tower in single precision: below it, the export is wrong."""
QUANTIZED: Final = ("MatMul", "Gemm", "Gather")
"""The operations in 8 bits; convolutions in 8 bits are slower than exact ones."""
CHECK: Final = "Check BLENDPROOF_CLIP_MODEL and BLENDPROOF_CLIP_WEIGHTS."

TEXTS: Final = (
    "a cube",
    "Subdivision Surface",
    "A red ball on a wooden table, beside a chair & a lamp; it's night",
    "why does my render come out black when the script runs without a window",
    "low poly tree",
    "add a bevel modifier to the cube and shade it smooth",
)
ODD_TEXTS: Final = (
    "",
    "  two\tlines\n here ",
    "the artist's CAMERA doesn't see what we'll've seen, they're 12.5 m away!?",
    "&lt;b&gt; &amp;amp; fish &amp; chips",
    "crème brûlée, Größe, naïve, ŁÓDŹ, İstanbul",
    "漢字 かな 한국어 مرحبا שלום हिन्दी",
    "🙂 🏠🏳️‍🌈 ½ ² ① ℃ — … “quoted”",
    "schÃ¶n, donâ€™t",
    "bpy.ops.mesh.primitive_cube_add(size=2)  # snake_case camelCase",
    "supercalifragilisticexpialidocious " * 3,
    "ball " * 200,
)


def export(model: str, weights: str, identity: str, folder: Path) -> None:
    """Write towers, tokenizer and facts into an existing empty folder. Raises ClipUnusable."""
    torch: Any = importlib.import_module("torch")
    network, transform, tokenize = open_model(model, weights)
    said = f"CLIP {model} with the weights {weights} cannot be exported"
    with place_of_failure(f"{said}: its preparation of pictures"):
        preparation = preparation_of(network, transform)
        pixels = [prepare(picture, preparation) for picture in probe_pictures()]
    with place_of_failure(f"{said}: its tokenizer"):
        reading = reading_of(network, tokenize, folder / TOKENIZER)
        tokens = [Tokenize(folder / TOKENIZER, reading)(text) for text in TEXTS]
    with torch.no_grad():
        with place_of_failure(f"{said}: its computation"):
            exact_pictures = [network.encode_image(torch.from_numpy(picture), normalize=True) for picture in pixels]
            exact_words = [network.encode_text(tokenize([text]), normalize=True) for text in TEXTS]
        with_plain_attention(network)
        with place_of_failure(f"{said}: its picture tower"):
            seen = write_tower(picture_tower(network), folder / PICTURES, "pixels", pixels, exact_pictures)
        with place_of_failure(f"{said}: its word tower"):
            network_of_words = word_tower(network, reading.until_end)
            read = write_tower(network_of_words, folder / WORDS, "tokens", tokens, exact_words)
    facts = ClipFacts(
        form=FORM,
        identity=identity,
        dimensions=exact_words[0].shape[-1],
        preparation=preparation,
        reading=reading,
        precision={PICTURES: seen[0], WORDS: read[0]},
        nearness={PICTURES: seen[1], WORDS: read[1]},
        sha256={file: sha256_of(folder / file) for file in (PICTURES, WORDS, TOKENIZER)},
    )
    (folder / FACTS).write_text(facts.model_dump_json(), encoding="utf-8")


@contextlib.contextmanager
def place_of_failure(where: str) -> Generator[None, None, None]:
    """Report any failure with its place: open_clip, PyTorch and ONNX raise dozens of kinds of exceptions."""
    try:
        yield
    except Exception as error:
        said = " ".join(str(error).split())[:300] or type(error).__name__
        raise ClipUnusable(f"{where}: {said.rstrip('.')}. {CHECK}") from error


def open_model(model: str, weights: str) -> tuple[Any, Any, Any]:
    """The model, with its preparation of pictures and of words."""
    torchvision_schemas.declare()
    import open_clip

    # A repository itself declares the model of its weights.
    name = weights if weights.startswith(HUB) else f"local-dir:{weights}" if Path(weights).is_dir() else None
    with place_of_failure(f"CLIP {name or model} with the weights {weights} cannot be loaded"):
        network, _, transform = open_clip.create_model_and_transforms(
            name or model, None if name else weights, device="cpu", precision="fp32", require_pretrained=True
        )
        return network.eval(), transform, open_clip.get_tokenizer(name or model)


# Pictures


def preparation_of(network: Any, transform: Any) -> Preparation:
    """The model's preparation of pictures, compared with open_clip's own transform."""
    facts = dict(network.visual.preprocess_cfg)
    if not isinstance(facts["size"], list | tuple):
        facts["size"] = (facts["size"], facts["size"])
    if facts["interpolation"] == "random":
        # open_clip does the same outside of training.
        facts["interpolation"] = "bicubic"
    how = Preparation.model_validate({name: facts[name] for name in Preparation.model_fields})
    for picture in probe_pictures():
        if np.abs(prepare(picture, how)[0] - transform(picture).numpy()).max() * max(how.std) > 1 / 255:
            raise ClipUnusable("it is not a known one")
    return how


def probe_pictures() -> list[Image.Image]:
    """Pictures with contents, in several shapes, as different from each other as renders."""
    return [ball(320, 240), boxes(256, 256), stripes(200, 333), floor(512, 256), clouds(224, 224), dots(97, 131)]


def ball(width: int, height: int) -> Image.Image:
    """A shaded ball in front of a darkening backdrop."""
    across, down = np.meshgrid(np.linspace(-1.6, 1.6, width), np.linspace(-1.2, 1.2, height))
    depth = np.sqrt(np.clip(1 - across**2 - down**2, 0, 1))
    light = np.clip(0.6 * depth - 0.5 * across - 0.6 * down, 0, 1)
    shades = np.where(depth[..., None] > 0, light[..., None] * (235, 80, 40) + 12, (90 - 50 * down)[..., None])
    return Image.fromarray(np.clip(shades, 0, 255).astype(np.uint8))


def boxes(width: int, height: int) -> Image.Image:
    """A few boxes of plain colours, each with a lit and a dark side."""
    picture = Image.new("RGB", (width, height), (203, 214, 226))
    pen = ImageDraw.Draw(picture)
    for place, color in enumerate(((30, 90, 200), (40, 160, 70), (230, 190, 30))):
        left, top = 20 + 75 * place, 150 - 45 * place
        pen.rectangle((left, top, left + 60, height - 30), color)
        pen.polygon([(left, top), (left + 15, top - 18), (left + 75, top - 18), (left + 60, top)], "white")
        pen.polygon(
            [(left + 60, top), (left + 75, top - 18), (left + 75, height - 48), (left + 60, height - 30)], (20, 20, 30)
        )
    return picture


def stripes(width: int, height: int) -> Image.Image:
    """Oblique stripes of two colours."""
    across, down = np.meshgrid(np.arange(width), np.arange(height))
    first = ((across + 2 * down) // 23 % 2 == 0)[..., None]
    return Image.fromarray(np.where(first, (120, 20, 140), (250, 240, 200)).astype(np.uint8))


def floor(width: int, height: int) -> Image.Image:
    """A chequered floor up to a dark horizon."""
    across, down = np.meshgrid(np.linspace(-1, 1, width), np.linspace(0.02, 1, height))
    tiles = (np.floor(3 * across / down) + np.floor(2 / down)) % 2
    shades = (40 + 180 * tiles * np.sqrt(down)).astype(np.uint8)
    return Image.fromarray(np.stack([shades, shades, 255 - shades], axis=-1))


def clouds(width: int, height: int) -> Image.Image:
    """Soft spots of many colours."""
    noise = np.random.default_rng(5).integers(0, 256, (9, 9, 3)).astype(np.uint8)
    return Image.fromarray(noise).resize((width, height), Image.Resampling.BICUBIC)


def dots(width: int, height: int) -> Image.Image:
    """Bright dots on black, a little blurred."""
    picture = Image.new("RGB", (width, height))
    pen = ImageDraw.Draw(picture)
    for place in np.random.default_rng(6).uniform(0, 1, (40, 2)):
        left, top = place * (width, height)
        pen.ellipse((left, top, left + 7, top + 7), (255, 255, 220))
    return picture.filter(ImageFilter.GaussianBlur(1))


# Words


def reading_of(network: Any, tokenize: Any, file: Path) -> WordPreparation:
    """Write the tokenizer to a file, and return the other steps on words; compared with open_clip's own tokens."""
    import open_clip

    own: Any = open_clip.SimpleTokenizer
    blank: int | None = None
    if type(tokenize) is own:
        byte_pairs(tokenize).save(str(file))
    else:
        # Called once, because the first call sets the maximum length of a text.
        tokenize(["a cube"])
        tokenize.tokenizer.backend_tokenizer.save(str(file))
        blank = tokenize.tokenizer.sep_token_id if getattr(tokenize, "strip_sep_token", False) else None
    texts = [*TEXTS, *ODD_TEXTS]
    expected = [tokenize([text])[0].tolist() for text in texts]
    for cleaning in get_args(Cleaning):
        read = Tokenize(file, WordPreparation(cleaning=cleaning, blank=blank, until_end=False))
        if [read(text)[0].tolist() for text in texts] == expected:
            return WordPreparation(cleaning=cleaning, blank=blank, until_end=ends_with_its_text(network))
    raise ClipUnusable(f"{type(tokenize).__name__} makes tokens in an unknown way")


def byte_pairs(tokenizer: Any) -> Any:
    """CLIP's own tokenizer without PyTorch.

    Its two marks for the start and the end of a text are added around each text, and never recognised inside one.
    """
    from tokenizers import Regex, Tokenizer, models, pre_tokenizers, processors

    pieces = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+"
    made: Any = Tokenizer(
        models.BPE(vocab=tokenizer.encoder, merges=list(tokenizer.bpe_ranks), end_of_word_suffix="</w>")
    )
    made.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(pieces), behavior="removed", invert=True),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )
    start, end = (tokenizer.decoder[number] for number in (tokenizer.sot_token_id, tokenizer.eot_token_id))
    made.post_processor = processors.TemplateProcessing(
        single=f"{start} $A {end}", special_tokens=[(start, tokenizer.sot_token_id), (end, tokenizer.eot_token_id)]
    )
    made.enable_truncation(tokenizer.context_length)
    made.enable_padding(length=tokenizer.context_length, pad_id=0)
    return made


def ends_with_its_text(network: Any) -> bool:
    """True if the padding after a text can be left out.

    In CLIP's own text model no word sees later ones, and the result is read at the end of the text.
    """
    import open_clip

    own = type(network) is open_clip.CLIP
    return own and network.text_pool_type == "argmax" and network.attn_mask is not None


# Towers


def write_tower(
    tower: Any, file: Path, name: str, probes: Sequence[Any], exact: Sequence[Any]
) -> tuple[Literal["int8", "float32"], float]:
    """Write a tower with the input `name`, in 8 bits if that is near enough; return its precision and nearness."""
    torch: Any = importlib.import_module("torch")
    wanted = np.concatenate([vector.numpy() for vector in exact])
    whole = file.with_name(f"exact-{file.name}")
    # All pictures have one size, and so have texts if they are not cut at their end.
    free = {name: {1: "length"}} if len({probe.shape for probe in probes}) > 1 else {}
    write_onnx(tower, whole, {name: torch.from_numpy(probes[0])}, ["vectors"], free)
    near = nearness(wanted, run(whole, name, probes))
    if near < SAME:
        raise ClipUnusable(f"the exported one gives other vectors (nearness {near:.4f})")
    # With 7 of the 8 bits, because processors without special instructions add products of 8 bits in 16 bits, where
    # the sum of two does not fit: vectors then have a cosine of 0.987, but of 0.9997 with 7 bits.
    write_int8(whole, file, reduce_range=True, op_types_to_quantize=list(QUANTIZED))
    near_in_8_bits = nearness(wanted, run(file, name, probes))
    if near_in_8_bits >= NEAREST_ALLOWED:
        whole.unlink()
        return "int8", round(near_in_8_bits, 4)
    whole.replace(file)
    return "float32", round(near, 4)


def run(file: Path, name: str, probes: Sequence[Any]) -> Vectors:
    """The vectors of the probes, each computed separately."""
    session = open_session(file)
    return np.concatenate([session.run(None, {name: probe})[0] for probe in probes])


def nearness(exact: Vectors, actual: Vectors) -> float:
    """The nearness of vectors to the exact ones: the least cosine, measured from the mean of the exact ones.

    From the mean, because CLIP puts all pictures into one narrow cone, and all texts into another. There even two
    pictures with nothing in common are near each other, and a tower with one answer for all would seem good.
    """
    mean = exact.mean(axis=0)
    wanted, given = exact - mean, actual - mean
    lengths = np.linalg.norm(wanted, axis=1) * np.linalg.norm(given, axis=1)
    return float(((wanted * given).sum(axis=1) / np.maximum(lengths, 1e-12)).min())


def picture_tower(network: Any) -> Any:
    import torch

    class PictureTower(torch.nn.Module):
        """Pixels in, unit vectors out."""

        def __init__(self) -> None:
            super().__init__()  # pyright: ignore[reportUnknownMemberType]
            self.network = network

        def forward(self, pixels: Any) -> Any:
            return self.network.encode_image(pixels, normalize=True)

    return PictureTower()


def word_tower(network: Any, until_end: bool) -> Any:
    import torch

    class WordTower(torch.nn.Module):
        """Tokens in, unit vectors out."""

        def __init__(self) -> None:
            super().__init__()  # pyright: ignore[reportUnknownMemberType]
            self.network = network

        def forward(self, tokens: Any) -> Any:
            if not until_end:
                return self.network.encode_text(tokens, normalize=True)
            return torch.nn.functional.normalize(encode_short(self.network, tokens), dim=-1)

    return WordTower()


def encode_short(network: Any, tokens: Any) -> Any:
    """The result of `network.encode_text`, computed only for as many places as there are tokens."""
    torch: Any = importlib.import_module("torch")
    used = tokens.shape[1]
    words = network.token_embedding(tokens) + network.positional_embedding[:used]
    words = network.ln_final(network.transformer(words, attn_mask=network.attn_mask[:used, :used]))
    end = words[torch.arange(1), tokens.argmax(dim=-1)]
    project = network.text_projection
    return end if project is None else project(end) if isinstance(project, torch.nn.Linear) else end @ project


def with_plain_attention(network: Any) -> None:
    """Replace attention by plain operations, because PyTorch's own is exported for only one length of texts."""
    import torch

    class PlainAttention(torch.nn.Module):
        """Equal to the attention that it replaces, for one picture or text."""

        def __init__(self, itself: Any) -> None:
            super().__init__()  # pyright: ignore[reportUnknownMemberType]
            self.itself = itself

        def forward(self, query: Any, key: Any, value: Any, need_weights: bool = True, attn_mask: Any = None) -> Any:
            itself = self.itself
            if need_weights or query is not key or key is not value:
                return itself(query, key, value, need_weights=need_weights, attn_mask=attn_mask)
            parts = torch.nn.functional.linear(query, itself.in_proj_weight, itself.in_proj_bias).chunk(3, dim=-1)
            width = itself.embed_dim // itself.num_heads
            heads = [part.reshape(1, -1, itself.num_heads, width).transpose(1, 2) for part in parts]
            near = heads[0] @ heads[1].transpose(2, 3) * width**-0.5
            if attn_mask is not None:
                near = near + attn_mask
            seen = near.softmax(dim=-1) @ heads[2]
            return itself.out_proj(seen.transpose(1, 2).reshape(1, -1, itself.embed_dim)), None

    # Any other attention is unfused too: the fused operation does not exist in ONNX.
    torch.backends.mha.set_fastpath_enabled(False)
    for part in list(network.modules()):
        for name, child in list(part.named_children()):
            plain = type(child) is torch.nn.MultiheadAttention and child.batch_first and child.bias_k is None
            if plain and child.in_proj_weight is not None:
                setattr(part, name, PlainAttention(child))


if __name__ == "__main__":
    # Requests to the service come first.
    os.nice(10)
    exit_of(export, *sys.argv[1:4], Path(sys.argv[4]))
