"""Writes ninja syntax: escaping, indentation and line wrapping, nothing more."""

from typing import Dict, Iterable, List, Optional, TextIO, Union

Paths = Union[str, Iterable[str], None]
kLineWidth = 100


def escape_path(path: str) -> str:
    """Escapes a path for a build statement. Variables ($name) must be expanded by ninja, so a
    dollar sign stays as it is."""
    return path.replace(" ", "$ ").replace(":", "$:")


def as_list(paths: Paths) -> List[str]:
    if paths is None:
        return []
    if isinstance(paths, str):
        return [paths]
    return list(paths)


class NinjaWriter:
    def __init__(self, output: TextIO):
        self._output = output

    def newline(self) -> None:
        self._output.write("\n")

    def comment(self, text: str) -> None:
        for line in text.splitlines():
            self._output.write(f"# {line}\n" if line else "#\n")

    def variable(self, name: str, value: str, indent: int = 0) -> None:
        self._write_wrapped(f"{name} = {value}".rstrip(), indent)

    def include(self, path: str) -> None:
        self._write_wrapped(f"include {path}", 0)

    def rule(self, name: str, command: str, description: Optional[str] = None,
             **variables: str) -> None:
        self._write_wrapped(f"rule {name}", 0)
        self.variable("command", command, 1)
        if description:
            self.variable("description", description, 1)
        for key, value in variables.items():
            self.variable(key, value, 1)

    def build(self, outputs: Paths, rule: str, inputs: Paths = None, implicit: Paths = None,
              order_only: Paths = None, variables: Optional[Dict[str, str]] = None) -> None:
        parts = ["build"] + [escape_path(path) for path in as_list(outputs)]
        parts[-1] += ":"
        parts.append(rule)
        parts += [escape_path(path) for path in as_list(inputs)]
        if as_list(implicit):
            parts += ["|"] + [escape_path(path) for path in as_list(implicit)]
        if as_list(order_only):
            parts += ["||"] + [escape_path(path) for path in as_list(order_only)]
        self._write_wrapped(" ".join(parts), 0)
        for key, value in (variables or {}).items():
            self.variable(key, value, 1)

    def default(self, targets: Paths) -> None:
        self._write_wrapped("default " + " ".join(as_list(targets)), 0)

    def _write_wrapped(self, text: str, indent: int) -> None:
        """Breaks lines at spaces that are not escaped; ninja joins lines that end in a dollar
        sign."""
        line = "  " * indent
        continuation = "  " * (indent + 2)
        started = False
        for word in text.replace("$ ", "\0").split(" "):
            word = word.replace("\0", "$ ")
            if started and len(line) + len(word) + 3 > kLineWidth:
                self._output.write(line + " $\n")
                line = continuation + word
            else:
                line += (" " if started else "") + word
            started = True
        self._output.write(line + "\n")
