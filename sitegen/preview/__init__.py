"""Preview: the site on this machine, which changes as its files do.

`Session` keeps the site up with its files: what changed (`watch`, `settle`), what the site is now (`live`, `state`).
`Server` is who asks: it answers with pages rendered when they are asked for, by the code that publishes them.
"""

from sitegen.preview.answer import Answers
from sitegen.preview.look import LookFiles
from sitegen.preview.server import DEFAULT_PORT, PreviewError, Server
from sitegen.preview.session import News, Session

__all__ = ["DEFAULT_PORT", "Answers", "LookFiles", "News", "PreviewError", "Server", "Session"]
