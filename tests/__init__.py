"""The test suite: mirrors the apps, with black-box flows, chaos and guards beside."""
