"""Finds texts by words and by meaning: an embedding model as ONNX, tables in LanceDB, fused rankings."""
