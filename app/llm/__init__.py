"""Clients for any server with the OpenAI interface, and the prompts."""
