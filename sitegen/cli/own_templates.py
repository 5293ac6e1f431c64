"""The user's own templates: what is wrong with them, in one line with the file and the line of it."""

import re
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sitegen.problem import Problem


class TemplateFailedError(Exception):
    """A template of the user's own failed. Its text is one line for the user."""


def syntax_mistakes(folder: Path | None) -> tuple[Problem, ...]:
    """What is wrong with the grammar of the templates in a folder of the user's own, where there is one."""
    if folder is None:
        return ()
    # Imported when it is asked for: most sites have no templates of their own.
    from sitegen.preview.templates import read_templates, syntax_problems  # noqa: PLC0415

    sources, unreadable = read_templates((folder,))
    return (*unreadable, *syntax_problems(sources, {}, {}).values())


@contextmanager
def failures_told(folder: Path | None) -> Iterator[None]:
    """Turn an error in which a template in `folder` had a part into `TemplateFailedError`.

    The place is the innermost line of such a template, in this process or in the worker that the error came from.
    """
    try:
        yield
    except Exception as error:
        place = re.compile(rf'File "({re.escape(str(folder))}/[^"\n]+)", line (\d+)')
        places = place.findall("".join(traceback.format_exception(error))) if folder is not None else []
        if not places:
            raise
        file, line = places[-1]
        what = " ".join(str(error).split()).rstrip(".") or type(error).__name__
        message = f"{file}:{line}: the template failed: {what}. Correct the expression on this line."
        raise TemplateFailedError(message) from error
