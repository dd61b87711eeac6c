"""Live events: a bus of hints, and the streams that read rows."""
