"""harness_fault: is given to a Blender that does not start; nothing is said of the snippet."""
print("this is not printed")
