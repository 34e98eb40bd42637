"""Recorded answers: what a capable model once answered for tasks of the benches, kept and replayed."""
