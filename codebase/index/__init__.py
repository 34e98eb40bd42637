"""The index that makes a repository searchable: files, units, edges, vectors, in one SQLite file."""
