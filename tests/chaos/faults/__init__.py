"""An app that only chaos tests install: it kills the process at a chosen line."""
