"""setup_failed: comes with a setup that raises, so it is never run."""
print("this is not printed")
