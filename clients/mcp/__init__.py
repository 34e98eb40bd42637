"""The MCP server: tools, resources and a prompt for language models, over the HTTP interface of a service.

a model ── MCP ──> server.py ──> tools.py, resources.py ──> service.py ── HTTP ──> a Blendproof service
"""
