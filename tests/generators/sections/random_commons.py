"""Random programs of other kinds, their arrays put into COMMON blocks that other procedures see under other names.

The head's own arrays of constant bounds are members of ``/cmn/``, those of its module of ``/cmm/``. ``meddle`` and
``stir``, outside of the module, name these otherwise, one now and then as another shape or cut in other pieces; they
write some elements in loops, read some, and are called between other statements.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random

from tests.generators.calls import random_callees
from tests.generators.elements import random_openings, random_recurrences, random_rewrites
from tests.generators.sections import random_regions

HEAD = ""
LOCATIONS = ()
SOURCES = (random_openings, random_recurrences, random_rewrites, random_callees, random_regions)
ENTITY = re.compile(r"(\w+)\(((?:[-\d:]+(?:, )?)+)\)")
DECLARED = re.compile(r"^  real\(8\) :: (.*)$")
PLACE = re.compile(r"^ +(?!y\b|if\b|where\b|forall\b|do\b)\w[\w%]*(\([^=]*\))? = [^=]*$")

Array = tuple[str, tuple[tuple[int, int], ...]]  # a name, and bounds


def program(random: Random) -> str:
    """A program whose first line names its head."""
    source = random.choice(SOURCES)
    text = source.program(random)
    lines = _with_sizes(text.splitlines())
    begin = next(i for i, line in enumerate(lines) if re.match(r"subroutine p\(", line))
    module, own = _arrays(lines[:begin], "contains"), _arrays(lines[begin:], "")
    value = "t" if any(re.search(r"real\(8\) ::.*\bt\b", line) for line in lines[begin:]) else "y"
    places, names = [i for i in range(begin, len(lines)) if PLACE.match(lines[i])], list[str]()
    for name, arrays in (("cmm", module), ("cmn", own)):
        if arrays:
            names.append(f"call {'stir' if name == 'cmm' else 'meddle'}({value})")
            lines += _seen(random, name, arrays)
    for at in sorted(random.sample(places, min(len(places), random.randint(1, 4))), reverse=True) if names else ():
        indent = re.match(" *", lines[at])
        lines.insert(at + 1, (indent[0] if indent else "") + random.choice(names))
    _shared(lines, begin, "cmn", own)
    _shared(lines, 0, "cmm", module)
    return f"! head: {source.HEAD}\n" + "\n".join(lines) + "\n"


def _with_sizes(lines: list[str]) -> list[str]:
    """Both n and m are arguments of p."""
    begin = next(i for i, line in enumerate(lines) if re.match(r"subroutine p\(", line))
    last = max(i for i in range(begin, len(lines)) if lines[i] == "end subroutine p")
    for name in ("n", "m"):
        if not re.search(rf"\b{name}\b", lines[begin]):
            where = next(i for i in range(begin, last) if "implicit none" in lines[i] or DECLARED.match(lines[i]))
            at = where + ("implicit none" in lines[where])
            lines[begin:last] = [re.sub(rf"\b{name}\b", f"{name}0", one) for one in lines[begin:last]]
            lines[begin] = lines[begin].replace(", y)", f", {name}, y)")
            lines.insert(at, f"  integer, intent(in) :: {name}")
            last += 1
    return lines


def numbers(random: Random) -> dict[str, int]:
    return {"n": random.choice((1, 2, 3, 4)), "m": random.choice((2, 3))}


def _arrays(lines: Sequence[str], until: str) -> list[Array]:
    """The arrays of constant bounds that the first declarations of a unit have, before ``until``."""
    found: list[Array] = []
    for line in lines:
        if until and line.strip() == until:
            break
        match = DECLARED.match(line)
        for name, bounds in ENTITY.findall(match[1]) if match else ():
            pairs = [(one.split(":") if ":" in one else ("1", one)) for one in bounds.split(", ")]
            if all(re.fullmatch(r"-?\d+", end) for pair in pairs for end in pair):
                found.append((name, tuple((int(a), int(b)) for a, b in pairs)))
    text = "\n".join(lines)
    return [one for one in found if not re.search(rf"(equivalence|common|target|pointer|intent).*\b{one[0]}\b", text)]


def _shared(lines: list[str], begin: int, name: str, arrays: Sequence[Array]) -> None:
    """Add the block behind the first declaration of its members, from a line on."""
    if not arrays:
        return
    wanted = {one for one, _ in arrays}
    last = max(i for i in range(begin, len(lines)) if (match := DECLARED.match(lines[i]))
               and wanted & {one for one, _ in ENTITY.findall(match[1])} and _is_first(lines, begin, i))
    lines.insert(last + 1, f"  common /{name}/ " + ", ".join(one for one, _ in arrays))


def _is_first(lines: Sequence[str], begin: int, at: int) -> bool:
    """Does a line stand in the unit that begins at another?"""
    return not any(line.strip() == "contains" or line.startswith("end ") for line in lines[begin:at])


def _seen(random: Random, block: str, arrays: Sequence[Array]) -> list[str]:
    """A procedure that sees a block under other names."""
    views: list[Array] = []
    for name, bounds in arrays:
        size = 1
        for low, high in bounds:
            size *= high - low + 1
        odd = random.randrange(8)
        if odd == 0 and len(bounds) > 1:
            views.append((f"v{name}", ((1, size),)))
        elif odd == 1 and size > 3:
            views += [(f"v{name}", ((1, 2),)), (f"u{name}", ((1, size - 2),))]
        elif odd == 2:
            views.append((f"v{name}", tuple((low + 1, high + 1) for low, high in bounds)))
        else:
            views.append((f"v{name}", bounds))
    declared = ", ".join(f"{name}({', '.join(f'{low}:{high}' for low, high in bounds)})" for name, bounds in views)
    body: list[str] = []
    for _ in range(random.randint(1, 3)):
        body += _loop(random, views)
    title = "stir" if block == "cmm" else "meddle"
    return [f"subroutine {title}(w)", "  implicit none", "  real(8), intent(inout) :: w", f"  real(8) :: {declared}",
            f"  common /{block}/ " + ", ".join(name for name, _ in views), "  integer :: i, j", *body,
            f"end subroutine {title}"]


def _loop(random: Random, views: Sequence[Array]) -> list[str]:
    """Some elements are written in a loop; others read."""
    name, bounds = random.choice(views)
    (low, high), *more = bounds
    first, last = low + random.randrange(2), high - random.randrange(2)
    rest = [str(random.randint(*one)) for one in more]
    if more and random.randrange(2):
        rest[0] = "j"
    here, other = (f"{name}({', '.join([one, *rest])})" for one in ("i", f"{random.randint(low, high)}"))
    what = random.choice((f"0.5d0*{here} + 0.1d0*w", "0.3d0*w", f"0.4d0*sin({here})*{other}", f"0.2d0*w*{other}",
                          f"0.6d0*{here}*{here}"))
    found = [f"  do i = {first}, {last}", f"    {here} = {what}",
             *([f"    w = 0.5d0*w + 0.1d0*{here}*{other}"] if random.randrange(2) else []), "  end do"]
    if "j" in rest:
        first = more[0][0] + random.randrange(2)
        found = [f"  do j = {first}, {more[0][1]}", *("  " + one for one in found), "  end do"]
    return found
