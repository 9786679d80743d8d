"""Stage 2: the vector of least Z, of classes and of label sets (section 5.2 of the paper)."""
