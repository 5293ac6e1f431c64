"""What keeps a host from being set up, or a release from being put back."""


class HostingError(Exception):
    """Nothing was changed. Its text is one line for the user: what is wrong, and what to do."""
