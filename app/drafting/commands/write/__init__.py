"""Operations to code, with acceptance checks of their effects: one module per family of operations."""
