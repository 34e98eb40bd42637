"""A language model of a few thousand weights, made here: `python -m tests.llm.tiny_model FOLDER [PORT]`.

With a port it is served by `transformers serve`, whose interface is that of OpenAI. It writes nonsense, as fast as
a processor of few weights does.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from search.torchvision_schemas import declare

WORDS = "import bpy\nbpy.data.objects['Cube'].location.x = 1\n"
TEMPLATE = "{% for m in messages %}{{ m['role'] }}: {{ m['content'] }}\n{% endfor %}assistant:"


def make(folder: Path) -> None:
    """Write a tiny model and its tokenizer into the folder."""
    import tokenizers as made
    import transformers

    library: Any = transformers
    raw: Any = made.Tokenizer(made.models.BPE())
    raw.pre_tokenizer = made.pre_tokenizers.ByteLevel(add_prefix_space=False)
    raw.decoder = made.decoders.ByteLevel()
    alphabet = made.pre_tokenizers.ByteLevel.alphabet()
    special = ["<s>", "</s>", "<pad>"]
    trainer: Any = made.trainers.BpeTrainer(vocab_size=300, special_tokens=special, initial_alphabet=alphabet)
    raw.train_from_iterator([WORDS], trainer)
    tokens = library.PreTrainedTokenizerFast(
        tokenizer_object=raw, bos_token=special[0], eos_token=special[1], pad_token=special[2]
    )
    tokens.chat_template = TEMPLATE
    library.set_seed(0)
    shape = library.LlamaConfig(
        vocab_size=len(tokens), hidden_size=32, intermediate_size=64, num_hidden_layers=2, num_attention_heads=2,
        num_key_value_heads=2, max_position_embeddings=8192, bos_token_id=0, eos_token_id=1, pad_token_id=2,
    )  # fmt: skip
    model = library.LlamaForCausalLM(shape)
    # It never ends by itself, so that an answer is as long as was asked for.
    model.generation_config.suppress_tokens = [shape.eos_token_id]
    model.save_pretrained(folder)
    tokens.save_pretrained(folder)


def serve(folder: Path, port: int) -> None:
    """Serve the model until the process is ended."""
    from transformers.cli.transformers import main as command

    main: Any = command
    sys.argv = ["transformers", "serve", str(folder), "--host", "127.0.0.1", "--port", str(port), "--device", "cpu"]
    main()


if __name__ == "__main__":
    declare()
    place = Path(sys.argv[1])
    make(place)
    if len(sys.argv) > 2:
        serve(place, int(sys.argv[2]))
