"""From stored text to what a page shows."""
