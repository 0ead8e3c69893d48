"""A board as a net on a plane: points for provinces and coasts, joined where a unit can step.

The points are moved a little, so that no two joints cross where that can be helped.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from judge.rules.board import Board, province_of
from tools.boards.arrays import Array


@dataclass
class Net:
    """Points by name (a province, or a coast of one), and pairs of numbers of points.

    `turn` is how far around the board is, in the units of the points; 0 where it does not wrap.
    """

    names: list[str]
    points: Array
    joints: list[tuple[int, int]]
    turn: float = 0.0
    home: Array = field(default_factory=lambda: np.zeros((0, 2)))

    def step(self, here: Array, there: Array) -> Array:
        """From points to others, the shorter way around."""
        way = there - here
        if self.turn:
            way = way.copy()
            way[..., 0] -= self.turn * np.round(way[..., 0] / self.turn)
        return way


def places(path: Path) -> tuple[dict[str, tuple[float, float]], dict[str, Any]]:
    """The places that a recipe lists, and what else it says."""
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    return {key: (x, y) for key, (x, y) in data.pop("places").items()}, data


def net(board: Board, at: dict[str, tuple[float, float]], wrap: bool, cut: set[str]) -> Net:
    """The net of a board whose places are known; pairs in `cut` ("a-b") are left out."""
    names = list(board.provinces)
    for key, province in board.provinces.items():
        names += [f"{key}/{coast}" for coast in province.coasts]
    number = {name: k for k, name in enumerate(names)}
    points = []
    for name in names:
        if name not in at:
            x, y = at[province_of(name)]
            others = [at[p] for p in board.fleet[name] if p in at]
            mx, my = np.mean(others, axis=0)
            at[name] = (x + 0.25 * (mx - x), y + 0.25 * (my - y))
        points.append(at[name])
    joints: set[tuple[int, int]] = set()
    sailed: set[frozenset[str]] = set()
    for here, steps in board.fleet.items():
        for there in steps:
            pair = sorted((number[here], number[there]))
            joints.add((pair[0], pair[1]))
            sailed.add(frozenset((province_of(here), province_of(there))))
    for here, steps in board.army.items():
        for there in steps:
            if frozenset((here, there)) not in sailed:
                pair = sorted((number[here], number[there]))
                joints.add((pair[0], pair[1]))
    for name in names:
        if "/" in name:
            joints.add((number[province_of(name)], number[name]))

    def kept(pair: tuple[int, int]) -> bool:
        a, b = (province_of(names[k]) for k in pair)
        return f"{a}-{b}" not in cut and f"{b}-{a}" not in cut

    array = np.array(points, float)
    array[:, 1] *= -1
    found = Net(names, array, sorted(filter(kept, joints)))
    if wrap:
        spread = np.ptp(array[:, 0])
        found.turn = spread + 0.8 * np.sqrt(spread * np.ptp(array[:, 1]) / len(names))
    found.home = array.copy()
    return found


def crossings(net: Net) -> list[tuple[int, int]]:
    """Pairs of joints, by number, that cross as straight lines."""
    joints = np.array(net.joints)
    found = []
    for k in range(len(joints)):
        hits = np.nonzero(_crossing(net, net.points, joints[k : k + 1], joints)[0])[0]
        found += [(k, int(j)) for j in hits if j > k]
    return found


def _crossing(net: Net, points: Array, some: Array, others: Array) -> Array:
    """Whether each of some joints crosses each of others."""
    a, b = points[some[:, 0]], points[some[:, 1]]
    c, d = points[others[:, 0]], points[others[:, 1]]
    ab = net.step(a, b)
    # Everything is seen from the first point.
    ac = net.step(a[:, None], c[None])
    cd = net.step(c, d)[None]
    ad = ac + cd

    def side(p: Array, q: Array) -> Array:
        turn: Array = p[..., 0] * q[..., 1] - p[..., 1] * q[..., 0]
        return turn

    one = side(ab[:, None], ac)
    two = side(ab[:, None], ad)
    three = side(cd, -ac)
    four = side(cd, ab[:, None] - ac)
    shared = (
        (some[:, :1] == others[None, :, 0])
        | (some[:, :1] == others[None, :, 1])
        | (some[:, 1:] == others[None, :, 0])
        | (some[:, 1:] == others[None, :, 1])
    )
    apart: Array = (one * two < 0) & (three * four < 0) & ~shared
    return apart


def untangle(net: Net, rounds: int, seed: int = 1) -> None:
    """Move points so that joints cross less, are of like length, and lie near where they were."""
    chance = np.random.default_rng(seed)
    joints = np.array(net.joints)
    count = len(net.names)
    mine = [np.nonzero((joints == k).any(axis=1))[0] for k in range(count)]
    lengths = np.hypot(*net.step(net.points[joints[:, 0]], net.points[joints[:, 1]]).T)
    area = np.ptp(net.home[:, 0]) * np.ptp(net.home[:, 1])
    unit = min(float(np.median(lengths)), 1.1 * float(np.sqrt(area / count)))
    low, high = net.home.min(axis=0), net.home.max(axis=0)

    def energy(k: int) -> float:
        p = net.points
        own = joints[mine[k]]
        away = net.step(net.home[k], p[k])
        total = 0.25 * float((away**2).sum()) / unit**2
        gaps = np.hypot(*net.step(p[k], p).T) / unit
        gaps[k] = 9
        wish = 0.75
        total += 3 * float((np.maximum(wish - gaps, 0) ** 2).sum())
        if len(own):
            way = net.step(p[own[:, 0]], p[own[:, 1]])
            size = np.hypot(*way.T) / unit
            total += 0.05 * float((np.maximum(size - 1, 0) ** 2).sum())
            total += 1.0 * float(_crossing(net, p, own, joints).sum())
            # Points beside the joints of this one.
            total += _beside(net, p[own[:, 0]], way, np.arange(count), own, unit)
        others = np.delete(joints, mine[k], axis=0)
        way = net.step(p[others[:, 0]], p[others[:, 1]])
        total += _near(net, p[others[:, 0]], way, p[k], unit)
        return total

    def clip(p: Array) -> Array:
        if net.turn:
            return np.array([p[0], np.clip(p[1], low[1], high[1])])
        return np.clip(p, low, high)

    for turn in range(rounds):
        reach = unit * (0.9 if turn % 3 == 0 else 0.35 if turn % 3 == 1 else 0.12)
        for k in chance.permutation(count):
            before, best = net.points[k].copy(), energy(k)
            spot = before
            near = [o for j in mine[k] for o in joints[j].tolist() if o != k]
            tries = [before + chance.normal(0, reach, 2) for _ in range(5)]
            if near:
                middle = before + net.step(before, net.points[near]).mean(axis=0)
                tries.append(before + (middle - before) * chance.uniform(0.2, 1))
            for trial in tries:
                net.points[k] = clip(trial)
                cost = energy(k)
                if cost < best:
                    best, spot = cost, net.points[k].copy()
            net.points[k] = spot


def _beside(net: Net, start: Array, way: Array, others: Array, own: Array, unit: float) -> float:
    rel = net.step(start[:, None], net.points[others][None])
    size = np.maximum((way**2).sum(axis=1), 1e-9)[:, None]
    along = (rel * way[:, None]).sum(axis=2) / size
    gap = np.abs(rel[..., 0] * way[:, None, 1] - rel[..., 1] * way[:, None, 0]) / np.sqrt(size)
    gap = np.where((along > 0.05) & (along < 0.95), gap / unit, 9)
    for column in (0, 1):
        gap[np.arange(len(own)), own[:, column]] = 9
    return 2.0 * float((np.maximum(0.3 - gap, 0)).sum())


def _near(net: Net, start: Array, way: Array, point: Array, unit: float) -> float:
    rel = net.step(start, point[None])
    size = np.maximum((way**2).sum(axis=1), 1e-9)
    along = (rel * way).sum(axis=1) / size
    gap = np.abs(rel[:, 0] * way[:, 1] - rel[:, 1] * way[:, 0]) / np.sqrt(size) / unit
    gap = np.where((along > 0.05) & (along < 0.95), gap, 9)
    return 2.0 * float((np.maximum(0.3 - gap, 0)).sum())


def named(net: Net, pairs: list[tuple[int, int]]) -> list[str]:
    """Crossing joints in words."""

    def one(k: int) -> str:
        return "-".join(net.names[e] for e in net.joints[k])

    return [f"{one(a)} x {one(b)}" for a, b in pairs]
