"""Uses of the API: what each results in, and what is wrong with it."""
