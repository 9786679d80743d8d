"""How well committees decide on examples they were not induced from: folds and measures."""
