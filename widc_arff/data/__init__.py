"""Examples to learn from: tables of any form, labels, and what is said of them."""
