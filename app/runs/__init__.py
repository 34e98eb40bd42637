"""The life of one request: the question, the events, the costs."""
