"""Where this program came from, so that a workflow elsewhere can install the same."""

import json
from importlib.metadata import PackageNotFoundError, distribution


def installed_from() -> str:
    """What pip is to be given to install this very version again, where it was installed from a repository; else "".

    Read from what pip noted (PEP 610). The name alone is never the answer: somebody else's program may bear it.
    """
    try:
        noted = distribution("sitegen").read_text("direct_url.json")
        says = json.loads(noted or "{}")
        commit, scheme, url = says["vcs_info"]["commit_id"], says["vcs_info"]["vcs"], says["url"]
    except (PackageNotFoundError, ValueError, KeyError, TypeError):
        return ""
    return f"sitegen @ {scheme}+{url}@{commit}"
