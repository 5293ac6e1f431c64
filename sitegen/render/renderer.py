"""Templates: a name and what it shows in, bytes out."""

import secrets
from collections.abc import Mapping, MutableMapping, Sequence
from pathlib import Path
from typing import Any

from jinja2 import BaseLoader, BytecodeCache, Environment, FileSystemLoader, StrictUndefined, Template
from markupsafe import Markup

from sitegen.escape import breakable
from sitegen.render.compiler import ShortCode

Frames = dict[tuple[str, str], list[bytes]]
"""The pieces of the frame around a page, by the way to the site's root and the section."""

_PACKAGE = Path(__file__).parent.parent


def template_folder(name: str) -> Path:
    """The folder `templates` or `static` that came with the program: inside the package, or beside it in a checkout."""
    inside = _PACKAGE / f"_{name}"
    return inside if inside.is_dir() else _PACKAGE.parent / name


class _Environment(Environment):
    code_generator_class = ShortCode

    def __init__(self, loader: BaseLoader, compiled: BytecodeCache | None) -> None:
        super().__init__(
            loader=loader,
            bytecode_cache=compiled,
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            keep_trailing_newline=True,
            auto_reload=False,
            cache_size=-1,
        )
        self.filters["breakable"] = breakable
        self._ready: dict[str, Template] = {}

    def get_template(
        self,
        name: str | Template,
        parent: str | None = None,
        globals: MutableMapping[str, Any] | None = None,  # noqa: A002 - Jinja's name
    ) -> Template:
        """A template, from where this environment keeps them: every page asks for several, some again and again."""
        if not isinstance(name, str) or globals:
            return super().get_template(name, parent, globals)
        found = self._ready.get(name)
        if found is None:
            found = self._ready[name] = super().get_template(name, parent)
        return found

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        """A plain dictionary, which each rendering goes through faster than through a chain of them."""
        return {**self.globals, **(d or {})}


class Renderer:
    """Renders templates from one or more folders; of two with one name, the earlier folder's is taken.

    Every value is escaped unless it is `Markup`, and an undefined name raises `jinja2.UndefinedError`. `compiled` keeps
    what templates are compiled to.
    """

    def __init__(self, folders: Sequence[Path], compiled: BytecodeCache | None = None) -> None:
        self._loader = FileSystemLoader(folders)
        # Nothing that a page shows can hold it: it is another one each time the program runs.
        self._cut = Markup(f"<cut-{secrets.token_hex(16)}>")  # noqa: S704 - hexadecimal digits
        self._environment = _Environment(self._loader, compiled)

    def page(self, template: str, context: Mapping[str, Any], frames: Frames) -> bytes:
        """A page as UTF-8: the blocks of its template, put into the frame that all pages of its place share.

        `context` names the place by `root` and `section`; `frames` keeps the frame of each, and is another one for each
        version of the site. A template that brings a frame of its own stands as it is.
        """
        layout = self._environment.get_template("parts.html")
        parts = self._parts(template, {**context, "layout": layout, "cut": self._cut})
        if len(parts) == 1:
            return parts[0]
        frame = self._frame(context, frames)
        return b"".join((*(piece for pair in zip(frame, parts, strict=False) for piece in pair), frame[-1]))

    def _frame(self, context: Mapping[str, Any], frames: Frames) -> list[bytes]:
        place = (context["root"], context["section"])
        if place not in frames:
            frames[place] = self._parts("frame.html", {**context, "cut": self._cut})
        return frames[place]

    def _parts(self, template: str, context: Mapping[str, Any]) -> list[bytes]:
        """What a template puts out, as UTF-8, in the parts that it cuts it into."""
        parts: list[list[str]] = [[]]
        for text in self._environment.get_template(template).generate(context):
            if text == self._cut:
                parts.append([])
            else:
                parts[-1].append(text)
        return ["".join(part).encode() for part in parts]

    def fragment(self, template: str, context: Mapping[str, Any]) -> Markup:
        """A part of a page, to be put into others as it is."""
        return Markup(self._environment.get_template(template).render(context))  # noqa: S704 - a template escapes its values

    def source(self, name: str) -> str:
        """The text of a file beside the templates, from the first folder that has it."""
        return self._loader.get_source(self._environment, name)[0]
