"""Committees as code that gives the same answers: Python, SQL, Java and PMML.

Each module turns a committee into one text.  Votes and decisions equal those of
`widc_arff.model.decision`; its probabilities have the same bits in Python and Java and agree within
1e-12 in SQL and PMML, where functions and the order of sums belong to the reader.
"""
