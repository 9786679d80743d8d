"""Examples as the learner counts them: codes of literals, distinct rows, patterns of rules."""
