"""Mutants: small faults that the suite must notice, and a harness that plants them."""
