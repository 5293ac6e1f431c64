"""Rendering: a view and a template in, bytes out; and the static files under their hashed names."""

from sitegen.render.assets import Asset, Assets, read_assets
from sitegen.render.compiled import compiled_templates
from sitegen.render.markdown import render_markdown
from sitegen.render.renderer import Frames, Renderer, template_folder

__all__ = [
    "Asset",
    "Assets",
    "Frames",
    "Renderer",
    "compiled_templates",
    "read_assets",
    "render_markdown",
    "template_folder",
]
