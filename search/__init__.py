"""Finds texts by words and by meaning: an embedding model as ONNX, tables in LanceDB, fused rankings."""

import os

# Since 1.29, ONNX Runtime tells its maker of every model that is loaded, every 30 s, and leaks a descriptor if it cannot.
# It reads this when it is imported, which only modules of this package do.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"
