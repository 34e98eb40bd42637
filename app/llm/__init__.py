"""Any server that speaks the interface of OpenAI; the prompts."""
