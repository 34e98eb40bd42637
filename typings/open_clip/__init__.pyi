from typing import Any

import torch

def create_model_and_transforms(
    model_name: str, pretrained: str | None = None, *, device: str = "cpu", **model_kwargs: Any
) -> tuple[Any, Any, Any]: ...
def create_model(model_name: str) -> Any: ...
def get_tokenizer(model_name: str) -> Any: ...

transform: Any
tokenizer: Any

class CLIP(torch.nn.Module):
    attn_mask: torch.Tensor | None
    text_pool_type: str

    def __init__(self, **config: Any) -> None: ...

class SimpleTokenizer: ...
