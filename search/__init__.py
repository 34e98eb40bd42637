"""Finds texts by words and by meaning: an embedding model as ONNX, tables in LanceDB, fused rankings."""

import os

# Since 1.29, ONNX Runtime sends its maker facts of every model that is loaded, unless this is set when it is imported,
# which only modules of this package do.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"
