"""The compiler of templates: shorter code that puts out what Jinja's own does."""

import traceback
from collections.abc import Callable
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jinja2 import DictLoader, Environment, StrictUndefined, Template, UndefinedError
from markupsafe import Markup, escape

from sitegen.escape import breakable, escape_text
from sitegen.render.compiler import ShortCode


class Short(Environment):
    code_generator_class = ShortCode


@dataclass(frozen=True, slots=True)
class Thing:
    text: object
    href: str = ""
    more: object = None


def first_of(kind: type[Environment], templates: dict[str, str]) -> Template:
    environment = kind(
        loader=DictLoader(templates), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    return environment.get_template(next(iter(templates)))


VALUES = st.one_of(
    st.text(),
    st.text(alphabet="<>&'\"_ab"),
    st.text().map(Markup),
    st.none(),
    st.integers(),
    st.floats(),
    st.booleans(),
    st.text(alphabet="<&").map(Thing),
)

EVERYTHING = """
{% extends "frame" %}
{% from "macros" import shown, boxed %}
{% block main %}
{{ thing.text }}|{{ thing.more.key }}|{{ table.items() is defined }}|{{ table.key }}|{{ plain ~ thing.text }}
{% for each in listed if each is not none %}{{ loop.index }}{{ each }}{% if not loop.last %}, {% endif %}
{% else %}none{% endfor %}
{{ shown(thing.text, href="<") }}{{ shown(plain) }}{{ shown(*[plain], **{"href": "&"}) }}
{% call boxed(plain) %}{{ thing.text }}{% set inner = plain %}{{ inner }}{% endcall %}
{% autoescape false %}{{ thing.text }}{{ shown(plain) }}{% endautoescape %}
{% set whole %}{{ plain }}<{% endset %}{{ whole }}{% filter upper %}{{ plain }}{% endfilter %}
{% if thing.absent is defined %}no{% elif thing.text is string %}{{ "&<"|upper }}{% endif %}{{ absent|default(plain) }}
{% include "part" %}{% macro own(a, b=plain) %}{{ a }}{{ b }}{% endmacro %}{{ own(1) }}{{ own(b="<", a=plain) }}
{{ plain if thing.href else thing.more }}{{ thing["text"] }}{{ {"a": plain}.a }}{{ (plain, 1) }}
{% endblock %}
{% block tail %}{{ super() }}{{ self.name() }}{% endblock %}
"""
MACROS = """
{% macro shown(text, href="") %}{% if href %}<a href="{{ href }}">{% endif %}{{ text }}{% endmacro %}
{% macro boxed(label) %}<p>{{ label }}{{ caller() }}</p>{% endmacro %}
"""
TEMPLATES = {
    "page": EVERYTHING,
    "frame": "{{ plain }}{% block main %}{% endblock %}/{% block tail %}{{ plain }}{% endblock %}"
    "{% block name %}&{{ plain }}{% endblock %}",
    "macros": MACROS,
    "part": "{{ plain }}{% for each in listed %}{{ each }}{% endfor %}",
}


JINJAS, OURS = first_of(Environment, TEMPLATES), first_of(Short, TEMPLATES)


@given(VALUES, VALUES, st.lists(VALUES, max_size=3))
def test_every_kind_of_template_puts_out_what_jinja_does(plain: object, text: object, listed: list[object]) -> None:
    thing = Thing(text, href="x" if listed else "", more={"key": plain})
    context = {"plain": plain, "thing": thing, "listed": listed, "table": {"key": plain}}
    assert OURS.render(context) == JINJAS.render(context)


def test_hostile_text_is_escaped_and_markup_is_not() -> None:
    template = first_of(Short, {"a": "{{ thing.text }}{{ safe }}"})
    assert template.render(thing=Thing("<b> & \"'"), safe=Markup("<i>")) == "&lt;b&gt; &amp; &#34;&#39;<i>"


@pytest.mark.parametrize(
    "source", ["{{ thing.absent }}", "{{ absent.text }}", "{{ thing.more.text }}", "{{ absent() }}"]
)
def test_a_name_that_is_not_defined_is_the_same_error(source: str) -> None:
    said = []
    for kind in (Environment, Short):
        template = kind(undefined=StrictUndefined, autoescape=True).from_string(source)
        with pytest.raises(UndefinedError) as caught:
            template.render(thing=Thing("", more={}))
        said.append(str(caught.value))
    assert said[0] == said[1]


def test_an_error_is_told_at_the_line_of_the_template(raising: Callable[[], str]) -> None:
    environment = Short(
        loader=DictLoader(
            {
                "a": "{% extends 'b' %}\n{% block c %}\n{{ 1 }}\n<p>{{ fail() }}</p>\n{% endblock %}",
                "b": "{% block c %}{% endblock %}",
            }
        ),
        autoescape=True,
    )
    with pytest.raises(ZeroDivisionError) as caught:
        environment.get_template("a").render(fail=raising)
    lines = [frame.lineno for frame in traceback.extract_tb(caught.value.__traceback__) if frame.name == "block 'c'"]
    assert lines == [4]


@pytest.fixture
def raising() -> Callable[[], str]:
    def fail() -> str:
        raise ZeroDivisionError

    return fail


@given(st.text())
def test_text_is_escaped_as_markupsafe_does_it(text: str) -> None:
    assert escape_text(text) == str(escape(text))
    assert type(escape_text(text)) is str


@given(st.text(alphabet="ab_<>&'"))
def test_a_breakable_name_is_the_escaped_name_with_places_to_break(name: str) -> None:
    assert breakable(name) == Markup("_<wbr>").join(name.split("_"))
