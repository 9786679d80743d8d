"""The paper run again: its tables and figures beside ours, what goes beyond it, and the study.

A *problem* is a data set, a *learner* a variant of WIDC or a classifier of Weka, a *run* the two
together over the folds of one repeat.  Runs are lines of a file, so that nothing is done twice;
sections turn them into tables and plots, and a document shows these as HTML and Markdown.

``python -m tests.reproduction WHAT -o DIR`` runs it, in a clone with what tests need installed.
``python -m tests.reproduction.sample_data FOLDER`` writes the files of ``arff_data/``.
"""
