"""Operations to code, with the acceptance checks of what they do: a module for each family of operations."""
