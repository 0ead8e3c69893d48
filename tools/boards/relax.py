"""Evens a partition out, a pixel at a time, without changing what touches what."""

from __future__ import annotations

import numpy as np

from tools.boards.arrays import Array

EDGE = -2
"""What lies beyond the edge of the picture."""

_RING = ((0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1), (1, 0), (1, 1))
_WIDE = tuple((dy, dx) for dy in range(-3, 4) for dx in range(-3, 4) if 0 < dy * dy + dx * dx < 12)


def relax(
    label: Array,
    wish: Array,
    wrap: bool,
    sweeps: int,
    least: int,
    coast: Array | None = None,
    sea: Array | None = None,
    may: Array | None = None,
    press: float = 6.0,
    pull: float = 4.0,
    seed: int = 7,
) -> Array:
    """Return the partition after so many sweeps.

    `wish` is how many pixels each label should have, `least` how many pixel edges each two that
    touch should share. `coast` is what drives land over water where it is positive. Areas that
    `may` not touch keep a distance. `press` is the weight of sizes, `pull` that of short borders.
    """
    chance = np.random.default_rng(seed)
    height, width = label.shape
    count = len(wish)
    pad = 3
    wide = np.full((height + 2 * pad, width + 2 * pad), EDGE, np.int32)
    wide[pad:-pad, pad:-pad] = label
    span = wide.shape[1]
    flat = wide.ravel()
    ring = np.array([dy * span + dx for dy, dx in _RING])
    far = np.array([dy * span + dx for dy, dx in _WIDE])
    weight = np.array([1 / np.hypot(dy, dx) for dy, dx in _WIDE])
    rows, columns = np.meshgrid(np.arange(height), np.arange(width), indexing="ij")
    place = (rows + pad) * span + columns + pad
    phases = [place[r::3, c::3].ravel() for r in range(3) for c in range(3)]
    drive = np.zeros(flat.shape)
    if coast is not None:
        drive.reshape(wide.shape)[pad:-pad, pad:-pad] = coast
    area = np.bincount(label.ravel(), minlength=count).astype(float)
    for sweep in range(sweeps):
        need = _need(wide[pad:-pad, pad:-pad], count, wrap, least)
        heat = 0.6 * (1 - sweep / sweeps)
        for number in chance.permutation(9):
            if wrap:
                wide[:, :pad] = wide[:, -2 * pad : -pad]
                wide[:, -pad:] = wide[:, pad : 2 * pad]
            at = phases[number]
            side = chance.integers(0, 4, len(at)) * 2
            new, old = flat[at + ring[side]], flat[at]
            good = (new != old) & (new != EDGE)
            at, new, old = at[good], new[good], old[good]
            near = flat[at[:, None] + ring]
            before = np.roll(near, 1, axis=1)
            is_old, is_new = near == old[:, None], near == new[:, None]
            old_runs = (is_old & (before != old[:, None])).sum(axis=1)
            new_runs = (is_new & (before != new[:, None])).sum(axis=1)
            runs = (near != before).sum(axis=1)
            beside = (
                (is_old & (before == new[:, None])) | (is_new & (before == old[:, None]))
            ).any(axis=1)
            good = (old_runs == 1) & (new_runs == 1) & is_old[:, ::2].any(axis=1)
            good &= (runs <= 3) | ((runs == 4) & ~beside)
            at, new, old, near = at[good], new[good], old[good], near[good]
            if not len(at):
                continue
            around = flat[at[:, None] + far]
            cost = ((around == old[:, None]) @ weight) - ((around == new[:, None]) @ weight)
            if may is not None:
                shy = ~may[new[:, None], np.maximum(around, 0)] & (around >= 0)
                eased = ~may[old[:, None], np.maximum(around, 0)] & (around >= 0)
                cost += 0.9 * ((shy & (around != new[:, None])) @ weight)
                cost -= 0.9 * ((eased & (around != old[:, None])) @ weight)
            push = np.clip((area - wish) / np.maximum(wish, 30), -1, 2)
            cost += press * (push[new] - push[old])
            sides = near[:, ::2]
            for k in range(4):
                third = sides[:, k]
                other = (third != old) & (third != new) & (third != EDGE)
                known = np.where(other, third, 0)
                cost += np.where(other, pull * (need[old, known] - need[new, known]), 0)
            change = (sides == old[:, None]).sum(axis=1) - (sides == new[:, None]).sum(axis=1)
            cost -= pull * need[old, new] * change
            if sea is not None:
                cost += np.where(sea[old] & ~sea[new], -drive[at], 0)
                cost += np.where(~sea[old] & sea[new], drive[at], 0)
            yes = cost < heat * chance.exponential(1.0, len(at))
            yes &= area[old] > 12
            flat[at[yes]] = new[yes]
            area += np.bincount(new[yes], minlength=count) - np.bincount(old[yes], minlength=count)
    return wide[pad:-pad, pad:-pad].copy()


def _need(area: Array, count: int, wrap: bool, least: int) -> Array:
    """How much each pair that touches is short of the least border, from 0 to 1."""
    counted = _counted(area, count, wrap)
    return np.where(counted > 0, np.clip(1 - counted / least, 0, 1), 0)


def shortest(area: Array, count: int, wrap: bool) -> int:
    """The pixel edges of the shortest border."""
    counted = _counted(area, count, wrap)
    return int(counted[counted > 0].min())


def _counted(area: Array, count: int, wrap: bool) -> Array:
    pairs = [(area[:, :-1], area[:, 1:]), (area[:-1], area[1:])]
    if wrap:
        pairs.append((area[:, -1], area[:, 0]))
    counted = np.zeros((count, count))
    for one, two in pairs:
        differ = one != two
        keys = one[differ].astype(np.int64) * count + two[differ]
        counted += np.bincount(keys, minlength=count * count).reshape(count, count)
    return counted + counted.T
