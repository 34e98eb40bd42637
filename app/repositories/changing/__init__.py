"""Changes a repository: a plan, a patch by a model, tests as evidence, and a branch."""
