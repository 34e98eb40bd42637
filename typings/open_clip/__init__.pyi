from typing import Any

import torch

def create_model_and_transforms(
    model_name: str, pretrained: str | None = None, *, device: str = "cpu", **model_kwargs: Any
) -> tuple[Any, Any, Any]: ...
def create_model(model_name: str, pretrained: str | None = None, **model_kwargs: Any) -> Any: ...
def get_tokenizer(model_name: str) -> Any: ...
def add_model_config(path: str) -> None: ...

class CLIP(torch.nn.Module):
    attn_mask: torch.Tensor | None
    positional_embedding: torch.Tensor
    text_pool_type: str

    def encode_text(self, text: Any) -> Any: ...
