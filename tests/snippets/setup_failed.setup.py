raise RuntimeError("the scene cannot be made")
