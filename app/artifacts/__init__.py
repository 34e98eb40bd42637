"""What was proven: published, kept, searched, made again."""
