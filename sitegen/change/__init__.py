"""What a set of records changes in the catalogue: two catalogues in; what came, went and moved out, in words. Pure."""

from sitegen.change.compare import compare
from sitegen.change.facts import change_facts
from sitegen.change.markdown import as_markdown
from sitegen.change.model import Change, Side
from sitegen.change.page import as_page
from sitegen.change.section import Section, headline, sections

__all__ = [
    "Change",
    "Section",
    "Side",
    "as_markdown",
    "as_page",
    "change_facts",
    "compare",
    "headline",
    "sections",
]
