"""Helpers for tests: servers, running stacks, a scripted model provider."""
