"""The API of one build, asked by value: the members of a value, and where they are declared."""
