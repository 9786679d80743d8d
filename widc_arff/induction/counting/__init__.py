"""Who counts, and how: sums over the examples for every literal at once."""
