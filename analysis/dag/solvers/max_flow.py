"""A maximum flow that follows changes of capacities: Algorithm 2 asks for thousands of cuts that differ little.

Dinic's algorithm on integer arrays, for acyclic networks. networkx finds the same cuts (the tests compare), but from
nothing each time: 0.1 s for a graph of 600 vertices, where a change here costs what it moves.
"""

from __future__ import annotations

from collections import deque

FEW = 40


class FlowNetwork:
    """A network of nodes 0, 1, ..., ``size`` - 1. ``value`` is the flow, maximal after :meth:`maximise`.

    Arc 2n goes forward and 2n + 1 is its reverse: ``room`` is what each can still carry.
    """

    def __init__(self, size: int, source: int, sink: int) -> None:
        self.source, self.sink = source, sink
        self.arcs: list[list[int]] = [[] for _ in range(size)]
        self.head: list[int] = []
        self.room: list[int] = []
        self.value = 0
        self.fresh = True

    def add(self, tail: int, head: int, capacity: int) -> int:
        """A new arc's number."""
        arc = len(self.head)
        self.head += (head, tail)
        self.room += (capacity, 0)
        self.arcs[tail].append(arc)
        self.arcs[head].append(arc + 1)
        return arc

    def change(self, arc: int, capacity: int) -> None:
        """Give an arc another capacity; what it can no longer carry is taken back along its way."""
        flow = self.room[arc + 1]
        self.room[arc] = max(0, capacity - flow)
        if flow > capacity:
            self.room[arc + 1] = capacity
            self._take_back(self.head[arc], self.sink, flow - capacity, 0)
            self._take_back(self.head[arc + 1], self.source, flow - capacity, 1)
            self.value -= flow - capacity

    def _take_back(self, start: int, end: int, amount: int, reverse: int) -> None:
        """Remove ``amount`` from paths of flow between start and end: along arcs (0), or against them (1)."""
        while amount:
            node, way, least = start, [], amount
            while node != end:
                arc = next(a for a in self.arcs[node] if a & 1 == reverse and self.room[a | 1])
                way.append(arc)
                least = min(least, self.room[arc | 1])
                node = self.head[arc]
            for arc in way:
                self.room[arc | 1] -= least
                self.room[arc & ~1] += least
            amount -= least

    def maximise(self) -> int:
        """The maximal flow. After small changes few paths are missing: they are sought from both ends at once, so
        that finding none costs no more than the smaller side of the cut. Many are found by Dinic's algorithm."""
        for _ in range(0 if self.fresh else FEW):
            way = self._path()
            if way is None:
                return self.value
            self._augment(way)
        self.fresh = False
        while (level := self._levels())[self.source] >= 0:
            self._block(level)
        return self.value

    def _path(self) -> list[int] | None:
        """The arcs of a path with room from source to sink."""
        head, room = self.head, self.room
        ahead, behind = {self.source: -1}, {self.sink: -1}
        front, back = deque(ahead), deque(behind)
        while front and back:
            if len(ahead) <= len(behind):
                for arc in self.arcs[front.popleft()]:
                    if room[arc] and head[arc] not in ahead:
                        ahead[head[arc]] = arc
                        front.append(head[arc])
                        if head[arc] in behind:
                            return self._joined(ahead, behind, head[arc])
            else:
                for arc in self.arcs[back.popleft()]:
                    if room[arc ^ 1] and head[arc] not in behind:
                        behind[head[arc]] = arc ^ 1
                        back.append(head[arc])
                        if head[arc] in ahead:
                            return self._joined(ahead, behind, head[arc])
        return None

    def _joined(self, ahead: dict[int, int], behind: dict[int, int], middle: int) -> list[int]:
        way, node = [], middle
        while node != self.source:
            way.append(ahead[node])
            node = self.head[ahead[node] ^ 1]
        way.reverse()
        node = middle
        while node != self.sink:
            way.append(behind[node])
            node = self.head[behind[node]]
        return way

    def _augment(self, way: list[int]) -> None:
        least = min(self.room[arc] for arc in way)
        for arc in way:
            self.room[arc] -= least
            self.room[arc ^ 1] += least
        self.value += least

    def _levels(self) -> list[int]:
        """Each node's distance to the sink over arcs with room, -1 for those that cannot reach it."""
        level = [-1] * len(self.arcs)
        level[self.sink] = 0
        todo = deque([self.sink])
        while todo and level[self.source] < 0:
            node = todo.popleft()
            for arc in self.arcs[node]:
                other = self.head[arc]
                if level[other] < 0 and self.room[arc ^ 1]:
                    level[other] = level[node] + 1
                    todo.append(other)
        return level

    def _block(self, level: list[int]) -> None:
        """Augment along shortest paths until none is left."""
        head, room, arcs = self.head, self.room, self.arcs
        following = [0] * len(arcs)
        way: list[int] = []
        node = self.source
        while True:
            if node == self.sink:
                self._augment(way)
                first = next(n for n, arc in enumerate(way) if not room[arc])
                node = head[way[first] ^ 1]
                del way[first:]
                continue
            own = arcs[node]
            while following[node] < len(own):
                arc = own[following[node]]
                if room[arc] and level[head[arc]] == level[node] - 1:
                    break
                following[node] += 1
            else:
                if not way:
                    return
                node = head[way.pop() ^ 1]
                following[node] += 1
                continue
            way.append(arc)
            node = head[arc]

    def far(self) -> list[bool]:
        """Which nodes can still reach the sink: the far side of the minimum cut nearest to it."""
        return [level >= 0 for level in self._levels()]
