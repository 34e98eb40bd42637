"""The repositories that were added: their names, folders and indexes."""
