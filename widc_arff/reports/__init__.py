"""Committees, explanations and evaluations as text for people."""
