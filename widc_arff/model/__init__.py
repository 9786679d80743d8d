"""What a committee is: literals, rules, votes, decisions, its file; it knows no learner."""
