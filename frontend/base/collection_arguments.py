"""Arguments of the library that are collections: a text in place of one is refused.

``use_cbar="alpha"`` is a collection for Python: of the locations a, l, p and h. What was meant is ``{"alpha"}``, and
a location that is lost is a wrong gradient. So every public function and every dataclass that users fill in hands
its collections and mappings to :func:`collections`, and collections of collections to :func:`nested`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping


def collections(where: str, **given: object) -> None:
    """Raises TypeError for a plain text, or bytes, in place of a collection or mapping; ``where``: what was called."""
    for name, value in given.items():
        if isinstance(value, str | bytes | bytearray | memoryview):
            raise TypeError(f"{where}: {name} is the text {_shown(value)} where a collection is wanted, and would be "
                            f"taken letter by letter; write [{_shown(value)}]")


def nested(where: str, **given: Iterable[object] | Mapping[str, object] | None) -> None:
    """The same, for what holds collections: neither it nor one of them (of a mapping: of its values) is a text.

    What can be gone through only once must be made a tuple before.
    """
    collections(where, **given)
    for name, outer in given.items():
        if isinstance(outer, Mapping):
            for key, inner in outer.items():
                collections(where, **{f"{name}[{key!r}]": inner})
        else:
            for number, inner in enumerate(outer or ()):
                collections(where, **{f"{name}[{number}]": inner})


def _shown(value: str | bytes | bytearray | memoryview) -> str:
    text = repr(bytes(value) if isinstance(value, memoryview) else value)
    return text if len(text) <= 60 else f"{text[:60]}..."
