"""What can keep a site from being published.

PublishError                the one to catch: a line for the user, without a traceback
├── UnsafeOutputError       the output folder is not one that may be replaced
├── BuildInProgressError    another build is writing the same folder
├── WriteError              the file system refused: full, read-only, not permitted
├── ManifestError           a folder has no manifest that says what should be in it
└── BrokenProcessError      a worker process ended without saying why
"""


class PublishError(Exception):
    """The site was not published, and the one that was there is untouched. Its text is one line for the user."""


class UnsafeOutputError(PublishError):
    """The output folder holds something that a build must not replace."""


class BuildInProgressError(PublishError):
    """Another build holds the lock of the output folder."""


class WriteError(PublishError):
    """The file system refused a file or a folder."""


class ManifestError(PublishError):
    """A folder holds no manifest, or one that cannot be read."""


class BrokenProcessError(PublishError):
    """A worker process was ended from outside, most often for want of memory."""
