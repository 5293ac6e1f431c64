"""From a folder of JSON to runs, documents and problems."""

from sitegen.load.loading import load
from sitegen.load.model import Figure, Gpu, Loaded, Run

__all__ = ["Figure", "Gpu", "Loaded", "Run", "load"]
