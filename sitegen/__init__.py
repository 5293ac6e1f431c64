"""A static site generator for a catalogue of GPU kernel benchmarks."""

__version__ = "0.1.0"
