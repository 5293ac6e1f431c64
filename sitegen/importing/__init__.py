"""Importing: other people's benchmark tables, turned into records in the format."""

from sitegen.importing.liger import ImportReport, LeftMemory, import_liger

__all__ = ["ImportReport", "LeftMemory", "import_liger"]
