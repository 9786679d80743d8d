"""The other side of the Weka classifier: a process that trains what it is sent."""
