"""Artifacts on disk: files of record, receipts, archives, repair."""
