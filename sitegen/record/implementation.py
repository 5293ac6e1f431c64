"""ImplementationRevision: the code that was measured."""

from typing import Literal

from pydantic import Field

from sitegen.record.envelope import Document, Listed, Part
from sitegen.record.text import Digest, Url


class ProjectRevision(Part):
    """Which state of which project."""

    repository: Url = ""
    commit: str = ""
    version: str = ""


class OperationRef(Part):
    """The operation that is implemented, by the digest of its OperationSpec."""

    spec_digest: Digest | None = None


class Callable(Part):
    """What is called, and in which language it is written."""

    language: str = ""
    path: str = ""
    symbol: str = ""


class Support(Part):
    """What the implementation is known to run with."""

    dtypes: Listed[str] = ()
    hardware_architectures: Listed[str] = ()
    products_tested: Listed[str] = ()


class Licensing(Part):
    """The licence as its authors declare it, and as it was found to be: SPDX identifiers."""

    declared: str = ""
    concluded: str = ""


class SourceFile(Part):
    """The source file, without its text."""

    file_name: str = ""
    size_bytes: int | None = Field(default=None, ge=0)
    content_digest: Digest | None = None


class Install(Part):
    """How to install: `kind` names the installer ("pip"), `package` what it is given."""

    kind: str = ""
    package: str = ""
    version: str = ""


class BuildVariant(Part):
    """One way to get the implementation."""

    name: str = ""
    install: Install | None = None


class ImplementationRevisionSpec(Part):
    """The code that was measured, as far as it is known."""

    project_revision: ProjectRevision = ProjectRevision()
    operation: OperationRef = OperationRef()
    callable: Callable = Callable()
    support: Support = Support()
    licensing: Licensing = Licensing()
    source: SourceFile | None = None
    build_variants: Listed[BuildVariant] = ()


class ImplementationRevision(Document):
    """One state of one implementation."""

    kind: Literal["ImplementationRevision"]
    spec: ImplementationRevisionSpec
