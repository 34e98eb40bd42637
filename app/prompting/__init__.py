"""What a model is shown: the target, the scene, the checks and the symbols, within a budget of tokens."""
