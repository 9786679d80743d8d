"""The paper's induction: stages 1 and 3, and all three one after the other (section 5)."""
