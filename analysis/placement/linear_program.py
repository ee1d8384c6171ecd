"""An integer program, row by row, for HiGHS: what is minimised in turn, and a bound that is proved for each.

Example: snapshot of 800 bytes or tape of 8 bytes in each of 10 turns of a loop: x is 0 or 1, 800*x + 80*(1 - x).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from importlib import import_module
from math import ceil, inf
from typing import Any

from snapset.frontend.base.frozen_records import frozen

ROUNDING = 1e-9  # of a bound, relative


@frozen
class LinearSum:
    """``constant`` + Σ factor * column."""

    terms: Mapping[int, float] = field(default_factory=dict)
    constant: float = 0

    def __add__(self, other: LinearSum) -> LinearSum:
        return total((self, other))

    def scaled(self, factor: float) -> LinearSum:
        return LinearSum({column: factor * one for column, one in self.terms.items()} if factor else {},
                      factor * self.constant)

    def at(self, values: Sequence[float]) -> float:
        return self.constant + sum(factor * values[column] for column, factor in self.terms.items())


NO = LinearSum()
YES = LinearSum({}, 1)


def total(those: Iterable[LinearSum]) -> LinearSum:
    terms: dict[int, float] = {}
    constant = 0.0
    for one in those:
        constant += one.constant
        for column, factor in one.terms.items():
            terms[column] = terms.get(column, 0) + factor
    return LinearSum({column: factor for column, factor in terms.items() if factor}, constant)


@frozen
class Minimised:
    """``values``: of all columns in the best solution found (None: none). ``lower``: no solution is below it."""

    values: Sequence[float] | None
    lower: float


class LinearProgram:
    """Columns and rows; a statement about yes and no is a :class:`LinearSum` that is 0 or 1."""

    def __init__(self) -> None:
        self.limits: list[tuple[float, float]] = []
        self.whole: set[int] = set()
        self.rows: list[tuple[float, float, Mapping[int, float]]] = []

    def column(self, high: float = inf, whole: bool = False) -> LinearSum:
        self.limits.append((0.0, high))
        if whole:
            self.whole.add(len(self.limits) - 1)
        return LinearSum({len(self.limits) - 1: 1.0})

    def at_least(self, larger: LinearSum, smaller: LinearSum) -> None:
        """larger >= smaller"""
        found = larger + smaller.scaled(-1)
        if found.terms or found.constant < 0:
            self.rows.append((-found.constant, inf, found.terms))

    def same(self, one: LinearSum, other: LinearSum) -> None:
        found = one + other.scaled(-1)
        assert found.terms
        self.rows.append((-found.constant, -found.constant, found.terms))

    def either(self, those: Iterable[LinearSum]) -> LinearSum:
        """Is one of them so?"""
        different: list[LinearSum] = []
        for one in those:
            if not one.terms and one.constant >= 1:
                return YES
            if one.terms and one not in different:
                different.append(one)
        if len(different) <= 1:
            return different[0] if different else NO
        found = self.column(1.0)
        self.is_either(found, different)
        return found

    def is_either(self, found: LinearSum, those: Sequence[LinearSum]) -> None:
        """``found`` is yes where one of them is."""
        for one in those:
            self.at_least(found, one)
        self.at_least(total(those), found)

    def largest(self, those: Iterable[LinearSum]) -> LinearSum:
        """Not below any of them: the largest, where it is minimised."""
        different: list[LinearSum] = []
        for one in those:
            if one not in different:
                different.append(one)
        if all(not one.terms for one in different):
            return LinearSum({}, max((one.constant for one in different), default=0))
        if len(different) == 1:
            return different[0]
        found = self.column()
        for one in different:
            self.at_least(found, one)
        return found

    def cases(self, asked: Sequence[LinearSum]) -> dict[tuple[bool, ...], LinearSum]:
        """By the answers to some questions, is this the case?"""
        cases: dict[tuple[bool, ...], LinearSum] = {(): YES}
        for one in asked:
            if one.terms:
                cases = {(*case, yes): self.column(1.0) for case in cases for yes in (False, True)}
            else:
                cases = {(*case, one.constant >= 1): was for case, was in cases.items()}
        if any(one.terms for one in asked):
            self.same(total(cases.values()), YES)
            for place, one in enumerate(asked):
                if one.terms:
                    self.same(total(is_it for case, is_it in cases.items() if case[place]), one)
        return cases

    # ------------------------------------------------------------ solving

    def in_turn(self, wanted: Sequence[LinearSum], nodes: int) -> list[Minimised]:
        """The least of the first, of these the least of the second, and so on; ends where one is not found, or
        not proved by so many ``nodes`` of branch and bound. There is no limit in seconds: the same input has the same
        answer.
        """
        solver, found = self._solver(nodes), list[Minimised]()
        for one in wanted:
            minimised = self._minimised(solver, one)
            found.append(minimised)
            if minimised.values is None:
                break
            reached = one.at(minimised.values)
            if minimised.lower < reached - 0.5:
                break
            if one.terms:  # figures are whole numbers
                solver.addRow(-inf, round(reached) - one.constant + 0.4, len(one.terms), list(one.terms),
                              list(one.terms.values()))
            solver.setSolution(self._start(minimised.values))
        return found

    def _start(self, values: Sequence[float]) -> Any:
        solution = import_module("highspy").HighsSolution()
        solution.col_value = list(values)
        return solution

    def _solver(self, nodes: int) -> Any:
        highspy: Any = import_module("highspy")
        solver = highspy.Highs()
        for option, value in (("output_flag", False), ("mip_max_nodes", nodes), ("mip_rel_gap", 0.0),
                              ("mip_abs_gap", 1e-6), ("random_seed", 0), ("threads", 1)):
            solver.setOptionValue(option, value)
        for place, (low, high) in enumerate(self.limits):
            solver.addCol(0.0, low, high, 0, [], [])
            if place in self.whole:
                solver.changeColIntegrality(place, highspy.HighsVarType.kInteger)
        for low, high, terms in self.rows:
            solver.addRow(low, high, len(terms), list(terms), list(terms.values()))
        return solver

    def _minimised(self, solver: Any, wanted: LinearSum) -> Minimised:
        if not self.limits:
            return Minimised([], wanted.constant)
        highspy: Any = import_module("highspy")
        for column in range(len(self.limits)):
            solver.changeColCost(column, wanted.terms.get(column, 0.0))
        solver.run()
        info = solver.getInfo()
        found = info.primal_solution_status == highspy.SolutionStatus.kSolutionStatusFeasible
        values = list(solver.getSolution().col_value) if found else None
        reached = info.objective_function_value if found else -inf
        return Minimised(values, (info.mip_dual_bound if self.whole else reached) + wanted.constant)


def rounded_up(bound: float) -> int:
    """What is a whole number is not below this, where it is not below ``bound`` but for the solver's rounding."""
    return ceil(bound - ROUNDING * abs(bound) - 1e-4) if bound > -inf else 0
