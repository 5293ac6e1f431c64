"""How templates become Python: Jinja's own compiler, with shorter code for what pages do most.

What a template means is left as Jinja has it. The compiler writes for the general case what is simpler in ours: a value
is nearly always a plain string to be escaped, or markup; a name after a dot is nearly always an attribute; nothing that
is called asks for the context; and a block is wanted whole, not piece by piece.
"""

from keyword import iskeyword
from typing import Any

from jinja2 import nodes
from jinja2.compiler import CodeGenerator, Frame, optimizeconst


class ShortCode(CodeGenerator):
    """Writes the code of templates. To be set as `jinja2.Environment.code_generator_class`.

    Where a template turns escaping off, it is compiled as Jinja does it. Functions made with `jinja2.pass_context` and
    its like are not to be called from templates.
    """

    def visit_Template(self, node: nodes.Template, frame: Frame | None = None) -> None:  # noqa: N802 - Jinja's name
        """Give the module of a template the name that its values are escaped by."""
        self.writeline("from sitegen.escape import escape_text")
        super().visit_Template(node, frame)

    def enter_frame(self, frame: Frame) -> None:
        """Collect what a block puts out, as Jinja does it in a macro."""
        super().enter_frame(frame)
        if frame.block_frame:
            self.buffer(frame)

    def leave_frame(self, frame: Frame, with_python_scope: bool = False) -> None:
        """Give what the block has put out, in one piece."""
        if frame.block_frame:
            self.writeline(f"yield concat({frame.buffer})")
        super().leave_frame(frame, with_python_scope)

    def _output_child_pre(self, node: nodes.Expr, frame: Frame, finalize: Any) -> None:
        if _escapes(frame):
            self.write("(escape_text(_shown) if type(_shown := ")
        else:
            super()._output_child_pre(node, frame, finalize)

    def _output_child_post(self, node: nodes.Expr, frame: Frame, finalize: Any) -> None:
        if _escapes(frame):
            self.write(") is str else _shown if type(_shown) is Markup else escape(_shown))")
        else:
            super()._output_child_post(node, frame, finalize)

    @optimizeconst
    def visit_Getattr(self, node: nodes.Getattr, frame: Frame) -> None:  # noqa: N802 - Jinja's name
        """An attribute as Python finds it; where there is none, whatever Jinja finds."""
        of = self.temporary_identifier()
        self.write(f"(_found if (_found := getattr({of} := ")
        self.visit(node.node, frame)
        self.write(f", {node.attr!r}, missing)) is not missing else environment.getattr({of}, {node.attr!r}))")

    @optimizeconst
    def visit_Call(self, node: nodes.Call, frame: Frame, forward_caller: bool = False) -> None:  # noqa: N802 - as above
        """A call with named and positional arguments goes straight to what is called."""
        odd = node.dyn_args or node.dyn_kwargs or any(iskeyword(named.key) for named in node.kwargs)
        if odd or not _escapes(frame):
            super().visit_Call(node, frame, forward_caller=forward_caller)
            return
        self.visit(node.node, frame)
        self.write("(")
        for argument in (*node.args, *node.kwargs):
            self.visit(argument, frame)
            self.write(", ")
        self.write("caller=caller)" if forward_caller else ")")


def _escapes(frame: Frame) -> bool:
    """Whether it is known, when the template is compiled, that values are escaped here."""
    return bool(frame.eval_ctx.autoescape) and not frame.eval_ctx.volatile
