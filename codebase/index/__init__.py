"""What is kept of a repository to search and follow it: files, units, edges, vectors, in one SQLite file."""
