"""raised: leaves through sys.exit with a status that means failure."""
import sys

sys.exit(3)
