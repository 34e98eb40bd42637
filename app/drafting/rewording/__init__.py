"""What somebody may have meant by a request that the composer refuses: wordings that it reads.

    reworder.py    wordings that the composer covers, one for each code that they lead to
    network.py     the small network that writes them, in NumPy, from weights.npz
    copied.py      what a wording may only copy, and must: numbers, names, colors, paths
    states.py      the words of a request as the packaged embedding model sees them; its file is made once

The network was taught by `python -m bench.rewording`. Nothing that it writes is executed unasked: see
docs/decisions/0024.
"""
