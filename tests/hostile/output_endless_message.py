"""raised: an exception whose message has fifty megabytes."""

raise RuntimeError('x' * (50 << 20))
