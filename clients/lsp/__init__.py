"""The language server: what `check` says while one types, hover, completion and fixes, over the HTTP interface.

an editor ── LSP ──> language_server.py ──> documents.py ─┬─> remote.py ── HTTP ──> a Blendproof service
                                                          └─> diagnostics.py, fixes.py, hover.py, targets.py
"""
