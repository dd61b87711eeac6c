"""The product's own settings, and the app that kills its process."""

from config.settings.base import *  # noqa: F403
from config.settings.base import INSTALLED_APPS

# First, so that its receivers are connected before the product's.
INSTALLED_APPS = ["tests.chaos.faults.apps.FaultsConfig", *INSTALLED_APPS]
