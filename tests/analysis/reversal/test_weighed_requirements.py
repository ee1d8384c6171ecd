"""What is required after one choice upon the other is what solving anew finds; what is taken back leaves nothing."""

from collections.abc import Mapping
from random import Random

import pytest
from snapset.analysis.activity.differentiation_head import parse_heads
from snapset.analysis.dataflow.bitsets import May
from snapset.analysis.pipeline import prepare
from snapset.analysis.reversal.weighed_requirements import RoughlyRequired, WeighedRequirements
from snapset.frontend.load import load_text

HEADER = """subroutine p(x, n, y)
  integer, intent(in) :: n
  real(8), intent(inout) :: x(n), y
  real(8) :: a, b, c, w(n)
  integer :: i
"""
STEPS = ("    a = x(i)*y\n", "    b = max(a, c*x(i))\n", "    c = a*b + abs(a - b)\n", "    y = y + b*c\n",
         "    if (a > {k}.d0) then\n      y = y*c\n    end if\n", "    w(i) = min(b, c)*a\n", "    x(i) = w(i)*x(i)\n",
         "    if (n > {k}) y = y*x(1)\n", "    w(i) = sign(a, x(i))*w(i)\n", "    a = 0.5d0*b\n")


def drawn(seed: int) -> str:
    """Two loops of random statements, the second one a part."""
    random = Random(seed)
    body = ["  a = x(1)\n  b = x(2)\n  c = a*b\n  w = x\n"]
    for k in range(2):
        steps = "".join(random.choice(STEPS).format(k=random.randrange(5)) for _ in range(10))
        loop = f"  do i = 1, n\n{steps}  end do\n"
        body.append(f"  !$AD CHECKPOINT-START\n{loop}  !$AD CHECKPOINT-END\n" if k else loop)
    return f"{HEADER}{''.join(body)}  y = y*b*c\nend subroutine\n"


def test_choices_find_what_solving_anew_finds(monkeypatch: pytest.MonkeyPatch) -> None:
    read: dict[int, dict[int, May]] = {}
    pending: dict[int, Mapping[int, May]] = {}
    outcomes: list[bool] = []
    plain_more, plain_keep = WeighedRequirements.more, WeighedRequirements.keep
    plain_back = WeighedRequirements.take_back

    def more(self: WeighedRequirements, reads: Mapping[int, May], at_most: int) -> int:
        pending[id(self)] = reads
        return plain_more(self, reads, at_most)

    def solved_anew(self: WeighedRequirements) -> None:
        for level in self.levels:
            needs = dict(level.problem.needs)
            for node, bits in read.get(id(self), {}).items():
                if node in level.place:
                    needs[level.place[node]] |= bits
            problem = level.problem
            anew = RoughlyRequired(problem.scope, problem.boundary, problem.weighing, problem.graph, needs)
            solution = anew.solve(level.graph.forward)
            assert level.entries == solution.entries
            assert level.exits == solution.exits
            assert level.taped == {n: level.taped_at(n, solution.entries[n], needs[n]) for n in needs}

    def keep(self: WeighedRequirements) -> None:
        plain_keep(self)
        known = read.setdefault(id(self), {})
        for node, bits in pending[id(self)].items():
            known[node] = known.get(node, 0) | bits
        outcomes.append(True)
        solved_anew(self)

    def take_back(self: WeighedRequirements) -> None:
        plain_back(self)
        outcomes.append(False)
        solved_anew(self)

    monkeypatch.setattr(WeighedRequirements, "more", more)
    monkeypatch.setattr(WeighedRequirements, "keep", keep)
    monkeypatch.setattr(WeighedRequirements, "take_back", take_back)
    (head,) = parse_heads("p(x)>(y)")
    for seed in range(20):
        assert list(prepare(load_text(drawn(seed)), head).adjoints.by_key.values())
        read.clear()
    assert outcomes.count(True) > 20
    assert outcomes.count(False) > 5
