"""The API of one build, asked by value: what a member of a value is, and where it is declared."""
