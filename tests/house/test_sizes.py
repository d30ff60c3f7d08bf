"""Files and functions stay small enough to read in one go."""

import ast

from made_source import Function, functions, sources

MOST_LINES = 300
MOST_FUNCTION_LINES = 50
LONG_FUNCTION_LINES = 40
MOST_LONG_SHARE = 0.04
MOST_POSITIONAL = 5
NESTING = 3
MOST_NESTING = 4
MOST_DEEP_SHARE = 0.005
"""Blocks stand three deep in one another; a fourth is left to few functions."""
MOST_METHODS = 24
"""Public methods of a class; ``House`` has one for each verb and nothing else has more than twelve."""
BLOCKS = (ast.If, ast.For, ast.While, ast.With, ast.Try, ast.Match)


def lines_of(node: Function) -> int:
    """Lines of a function, its docstring left out: a rule's reasons are no length."""
    first = node.body[1] if ast.get_docstring(node) and len(node.body) > 1 else node.body[0]
    head = node.body[0].lineno - node.lineno
    return head + (node.end_lineno or 0) - first.lineno + 1


def depth(node: ast.AST) -> int:
    """How deep blocks stand in one another; ``elif`` counts as its ``if``."""
    deepest = 0
    for name, value in ast.iter_fields(node):
        children = value if isinstance(value, list) else [value]
        for child in children:
            if not isinstance(child, ast.AST) or isinstance(child, Function):
                continue
            is_elif = name == "orelse" and isinstance(node, ast.If) and isinstance(child, ast.If)
            deepest = max(deepest, depth(child) + (isinstance(child, BLOCKS) and not is_elif))
    return deepest


def test_no_file_is_longer_than_three_hundred_lines() -> None:
    """One concept fits."""
    assert {s.name: n for s in sources() if (n := s.text.count("\n")) > MOST_LINES} == {}


def test_no_function_is_longer_than_fifty_lines_and_few_than_forty() -> None:
    """A function is read without scrolling."""
    lengths = {f"{source.name}:{node.name}": lines_of(node) for source, node in functions()}
    assert {name: length for name, length in lengths.items() if length > MOST_FUNCTION_LINES} == {}
    long = [name for name, length in lengths.items() if length > LONG_FUNCTION_LINES]
    assert len(long) <= MOST_LONG_SHARE * len(lengths), long


def test_functions_are_called_by_name_where_they_take_much() -> None:
    """At most five arguments go by position; more are keywords or one frozen value."""
    many = []
    for source, node in functions():
        given = [a.arg for a in (*node.args.posonlyargs, *node.args.args) if a.arg not in ("self", "cls")]
        if len(given) > MOST_POSITIONAL:
            many.append(f"{source.name}:{node.name}")
    assert many == []


def test_blocks_do_not_stand_deep_in_one_another() -> None:
    """Nesting ends early."""
    depths = {f"{source.name}:{node.name}": depth(node) for source, node in functions()}
    assert {name: levels for name, levels in depths.items() if levels > MOST_NESTING} == {}
    deep = [name for name, levels in depths.items() if levels > NESTING]
    assert len(deep) <= MOST_DEEP_SHARE * len(depths), deep


def test_classes_do_little() -> None:
    """A class has few public methods, and inherits from nothing of ours but errors and protocols."""
    for source in sources():
        for node in ast.walk(source.tree):
            if isinstance(node, ast.ClassDef):
                public = [m.name for m in node.body if isinstance(m, Function) and not m.name.startswith("_")]
                assert len(public) <= MOST_METHODS, (source.name, node.name)
                assert len(node.bases) <= 1, (source.name, node.name)
