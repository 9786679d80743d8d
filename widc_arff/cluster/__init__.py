"""Training past one machine: files are read, coded and counted where the workers are.

`widc_arff.cluster.training` reads like the induction on one machine.  The examples never come
together: workers keep their rows as codes, count, and send sums of weights.  Sums of whole numbers
are exact, hence the committee is the one that a single machine learns.
"""
