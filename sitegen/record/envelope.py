"""What every document has in common: the envelope, its metadata, and how strictly both are read."""

from collections.abc import Mapping
from typing import Annotated, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, JsonValue
from pydantic.alias_generators import to_camel

from sitegen.record.text import Name, Url


class Part(BaseModel):
    """A part of a document: frozen, of exact types, in camelCase on paper and snake_case here.

    Fields that the format does not know are kept in `model_extra`, so that nothing is lost; the loader warns of them.
    """

    model_config = ConfigDict(
        alias_generator=to_camel, extra="allow", frozen=True, strict=True, protected_namespaces=()
    )


T = TypeVar("T")
# A JSON list is read as a tuple, which strictness would refuse; what the list holds is read strictly all the same.
Listed = Annotated[tuple[T, ...], Field(strict=False)]


class SourceRef(Part):
    """Where a document was taken from."""

    url: Url


class Metadata(Part):
    """What is said about a document for its readers; it takes no part in the document's identity.

    `name` is safe as a file's name, and is not unique: it is cut at 100 characters.
    """

    name: Name
    title: str = ""
    description: str = ""
    labels: Mapping[str, str] = Field(default_factory=dict)
    authors: Listed[JsonValue] = ()
    source_refs: Listed[SourceRef] = ()

    @property
    def shown(self) -> str:
        """The title, or the name where there is none to read."""
        return self.title.strip() or self.name


class Document(Part):
    """The envelope of every document. Each kind adds its `kind` and `spec`: with `api_version`, its identity."""

    api_version: Literal["kernelindex.dev/v1alpha1"]
    metadata: Metadata
