"""The page that stands where there is no other: everything that is wrong, and no more."""

from html import escape
from typing import Final

from sitegen.problem import Problem

_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'"
)
_PAGE: Final = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<link rel="stylesheet" href="/_sitegen/notice.css">
</head>
<body>
<main class="notice">
<h1>{title}</h1>
{body}
</main>
</body>
</html>
"""


def notice(problems: tuple[Problem, ...], line: str = "") -> bytes:
    """A page with the problems, below a line that says what else there is to say."""
    title = "This page cannot be shown" if line else "There is no site to show yet"
    said = f"<p>{escape(line)}</p>\n" if line else ""
    listed = "\n".join(map(_item, problems))
    body = said + (f"<ul>\n{listed}\n</ul>" if problems else "")
    return _PAGE.format(policy=_POLICY, title=title, body=body).encode(errors="backslashreplace")


def _item(problem: Problem) -> str:
    line = f":{problem.line}" if problem.line else ""
    place = f" <code>{escape(problem.place)}</code>" if problem.place else ""
    kind = f'<span class="{escape(problem.severity)}">{escape(problem.severity)}[{escape(problem.code)}]</span>'
    where = f"<code>{escape(problem.file + line)}</code>"
    words = f'<p class="message">{escape(problem.message)}</p><p class="hint">{escape(problem.hint)}</p>'
    return f'<li><p class="where">{where} {kind}{place}</p>{words}</li>'
