"""The site: a mapping from address to page, and a page renders when asked."""

from sitegen.site.opening import build_site
from sitegen.site.shell import Page
from sitegen.site.site import AddressTakenError, Site, compose_site, recompose_site, redress_site

__all__ = ["AddressTakenError", "Page", "Site", "build_site", "compose_site", "recompose_site", "redress_site"]
