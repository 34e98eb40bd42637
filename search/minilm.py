"""Writes the packaged embedding model, a BERT of six layers, as ONNX from its weights alone, without PyTorch.

    ids ─> word + place + kind ─> 6 x (attention of 12 heads, then two dense layers) ─> mean over the words ─> length 1

Other models are exported from PyTorch, by `export.py`. A test checks that both ways give the same vectors.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from onnx import TensorProto, helper, numpy_helper

LAYERS: Final = 6
HEADS: Final = 12
WIDTH: Final = 384
MAX_TOKENS: Final = 256
OPSET: Final = 17
FAR: Final = -1e9
"""Added at padding, before the softmax of attention."""

Array = npt.NDArray[Any]


def read_weights(file: Path) -> dict[str, Array]:
    """The tensors of a safetensors file: the header's length, a header of JSON, then the numbers."""
    data = file.read_bytes()
    start = 8 + int.from_bytes(data[:8], "little")
    facts: dict[str, dict[str, Any]] = json.loads(data[8:start])
    kinds = {"F32": np.float32, "I64": np.int64}
    weights: dict[str, Array] = {}
    for name, fact in facts.items():
        if name != "__metadata__":
            first, end = fact["data_offsets"]
            weights[name] = np.frombuffer(data[start + first : start + end], kinds[fact["dtype"]]).reshape(
                fact["shape"]
            )
    return weights


class NetworkGraph:
    """Nodes in the order of computation, and their constants."""

    def __init__(self) -> None:
        self.nodes: list[Any] = []
        self.constants: list[Any] = []

    def constant(self, value: Array) -> str:
        name = f"constant_{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(np.ascontiguousarray(value), name))
        return name

    def numbers(self, *values: int) -> str:
        return self.constant(np.array(values, dtype=np.int64))

    def number(self, value: float) -> str:
        return self.constant(np.array(value, dtype=np.float32))

    def add(self, kind: str, *inputs: str, **attributes: Any) -> str:
        """Add a node; return the name of its output."""
        name = f"{kind}_{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, list(inputs), [name], name=name, **attributes))
        return name


class Bert(NetworkGraph):
    """The layers of a BERT, with the weights of their names."""

    def __init__(self, weights: dict[str, Array]) -> None:
        super().__init__()
        self.weights: Final = weights

    def dense(self, states: str, name: str) -> str:
        product = self.add("MatMul", states, self.constant(self.weights[f"{name}.weight"].T))
        return self.add("Add", product, self.constant(self.weights[f"{name}.bias"]))

    def norm(self, states: str, name: str) -> str:
        scale, bias = (self.constant(self.weights[f"{name}.{part}"]) for part in ("weight", "bias"))
        return self.add("LayerNormalization", states, scale, bias, axis=-1, epsilon=1e-12)

    def embedded(self, ids: str) -> str:
        """The embedding of each word, with its place and its kind, which is always the first."""
        words, places, kinds = (
            self.weights[f"embeddings.{table}_embeddings.weight"] for table in ("word", "position", "token_type")
        )
        length = self.add("Slice", self.add("Shape", ids), self.numbers(1), self.numbers(2))
        placed = self.add("Slice", self.constant(places + kinds[0]), self.numbers(0), length, self.numbers(0))
        return self.norm(self.add("Add", self.add("Gather", self.constant(words), ids), placed), "embeddings.LayerNorm")

    def heads(self, states: str, name: str) -> str:
        """A dense layer, split into heads: texts, heads, words, numbers."""
        parted = self.add("Reshape", self.dense(states, name), self.numbers(0, 0, HEADS, WIDTH // HEADS))
        return self.add("Transpose", parted, perm=[0, 2, 1, 3])

    def layer(self, states: str, padding: str, name: str) -> str:
        query, key, value = (self.heads(states, f"{name}.attention.self.{part}") for part in ("query", "key", "value"))
        likeness = self.add("MatMul", query, self.add("Transpose", key, perm=[0, 1, 3, 2]))
        scaled = self.add("Div", likeness, self.number(math.sqrt(WIDTH // HEADS)))
        shares = self.add("Softmax", self.add("Add", scaled, padding), axis=-1)
        taken = self.add("Transpose", self.add("MatMul", shares, value), perm=[0, 2, 1, 3])
        joined = self.dense(self.add("Reshape", taken, self.numbers(0, 0, WIDTH)), f"{name}.attention.output.dense")
        states = self.norm(self.add("Add", joined, states), f"{name}.attention.output.LayerNorm")
        wide = self.gelu(self.dense(states, f"{name}.intermediate.dense"))
        narrow = self.dense(wide, f"{name}.output.dense")
        return self.norm(self.add("Add", narrow, states), f"{name}.output.LayerNorm")

    def gelu(self, states: str) -> str:
        bent = self.add("Erf", self.add("Div", states, self.number(math.sqrt(2))))
        return self.add("Mul", self.add("Mul", states, self.add("Add", bent, self.number(1))), self.number(0.5))


def write_minilm(source: Path, file: Path) -> None:
    """Write the network of the model in this folder: inputs `input_ids` and `attention_mask`, output unit `vectors`."""
    bert = Bert(read_weights(source / "model.safetensors"))
    mask = bert.add("Cast", "attention_mask", to=TensorProto.FLOAT)
    absent = bert.add("Mul", bert.add("Sub", bert.number(1), mask), bert.number(FAR))
    padding = bert.add("Unsqueeze", absent, bert.numbers(1, 2))
    states = bert.embedded("input_ids")
    for number in range(LAYERS):
        states = bert.layer(states, padding, f"encoder.layer.{number}")
    counted = bert.add("Unsqueeze", mask, bert.numbers(2))
    total = bert.add("ReduceSum", bert.add("Mul", states, counted), bert.numbers(1), keepdims=0)
    mean = bert.add("Div", total, bert.add("ReduceSum", counted, bert.numbers(1), keepdims=0))
    length = bert.add("ReduceL2", mean, axes=[1], keepdims=1)
    bert.nodes.append(helper.make_node("Div", [mean, length], ["vectors"]))
    write(bert, file, ["input_ids", "attention_mask"])


def write(graph: NetworkGraph, file: Path, inputs: Sequence[str]) -> None:
    taken = [helper.make_tensor_value_info(name, TensorProto.INT64, ["texts", "tokens"]) for name in inputs]
    given = [helper.make_tensor_value_info("vectors", TensorProto.FLOAT, ["texts", WIDTH])]
    whole = helper.make_graph(graph.nodes, "minilm", taken, given, graph.constants)
    model = helper.make_model(whole, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=8)
    file.write_bytes(model.SerializeToString())
