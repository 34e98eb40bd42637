"""The words of a verdict: findings, stages, the weight of each rule, and whether a text parses at all."""
