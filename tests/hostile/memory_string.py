"""out_of_memory: a text of a hundred gigabytes."""

text = 'x' * (100 << 30)
