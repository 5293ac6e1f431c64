"""What pages are shown in: settings, templates and static files, read anew when one of them changes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from sitegen.preview.templates import Compiled, SnapshotRenderer, Sources, read_templates, syntax_problems, typed
from sitegen.problem import Problem, Severity
from sitegen.render import Assets, Renderer, read_assets
from sitegen.settings import Settings, read_settings


@dataclass(frozen=True, slots=True)
class LookFiles:
    """Where the look is read from. Of several folders of `templates` the earlier is preferred.

    The settings may name a folder of templates that is preferred to all of them. `base_url` stands for that of the
    settings, where it is not None.
    """

    config: Path
    templates: Sequence[Path]
    static: Path
    base_url: str | None = None


@dataclass(frozen=True, slots=True)
class Look:
    """Settings, templates and static files as they were read together, and all that is wrong with them.

    `folders` are all that templates are in, the preferred first.
    Two looks share what is the same in both. `syntax` is what is wrong with the grammar of a template, by its name.
    `assets` is None where a static file cannot be read.
    """

    settings: Settings
    folders: tuple[Path, ...]
    sources: Sources
    renderer: Renderer
    syntax: Mapping[str, Problem]
    assets: Assets | None
    problems: tuple[Problem, ...]

    def has(self, path: Path) -> bool:
        """Whether a file is one of the templates or of the static files."""
        if any(source.path == path for source in self.sources.values()):
            return True
        return self.assets is not None and any(
            PurePosixPath(asset.address).name.startswith(f"{path.stem}.") for asset in self.assets.files
        )


def read_look(files: LookFiles, compiled: Compiled, before: Look | None = None) -> Look:
    """The look as its files are now."""
    settings, mistakes = read_settings(files.config)
    if files.base_url is not None:
        settings = settings.model_copy(update={"base_url": files.base_url})
    folders = (*((settings.templates,) if settings.templates is not None else ()), *files.templates)
    sources, unreadable = read_templates(folders)
    if before is not None and before.sources == sources:
        renderer, syntax = before.renderer, before.syntax
    else:
        renderer = SnapshotRenderer(sources, compiled)
        syntax = syntax_problems(sources, before.sources if before else {}, before.syntax if before else {})
    assets, missing = _assets(files.static)
    if before is not None and before.assets == assets:
        assets = before.assets
    problems = (*mistakes, *unreadable, *syntax.values(), *missing)
    return Look(settings, folders, sources, renderer, syntax, assets, problems)


def _assets(folder: Path) -> tuple[Assets | None, tuple[Problem, ...]]:
    try:
        return read_assets(folder), ()
    except OSError as error:
        file = typed(Path(error.filename or folder))
        message = f"The file cannot be read: {error.strerror}."
        problem = Problem(Severity.ERROR, "static-unreadable", file, "", message, "Put it back.")
        return None, (problem,)


def same_judgement(one: Settings, other: Settings) -> bool:
    """Whether runs are compared with the same baselines under both settings."""
    first, second = ({name: each.baselines for name, each in some.sources.items()} for some in (one, other))
    return first == second
