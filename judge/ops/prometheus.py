"""Numbers for Prometheus (https://prometheus.io/docs/instrumenting/exposition_formats/).

This module needs the extra `metrics`.

What is counted belongs to this process, what is measured is read from the database when somebody
asks. Neither tells a name or a text.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from msgspec.structs import asdict
from prometheus_client import CollectorRegistry, Counter, Histogram, start_http_server
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from judge.ops.metrics import Metrics
from judge.ops.status import Status

log = logging.getLogger(__name__)


_COUNTED = {
    "stored": ("judge_mails_stored", "Mails taken in.", "door"),
    "attempt": (
        "judge_letters",
        "Attempts to send a message, by how they ended: sent, refused or delayed.",
        "outcome",
    ),
    "failure": ("judge_failures", "Steps that failed, by thread.", "loop"),
}
_TIMED = {
    "message": ("judge_mail_work_seconds", "Time one mail took."),
    "game": (
        "judge_game_work_seconds",
        "Time one step of a game took: a start, a phase, a reminder.",
    ),
}


class PrometheusMetrics(Metrics, Collector):
    """The counters of one judge."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self._counted = {
            name: Counter(called, told, [label], registry=self.registry)
            for name, (called, told, label) in _COUNTED.items()
        }
        self._timed = {
            name: Histogram(called, told, registry=self.registry)
            for name, (called, told) in _TIMED.items()
        }

    def count(self, name: str, what: str) -> None:
        self._counted[name].labels(what).inc()

    def time(self, name: str) -> AbstractContextManager[object]:
        return self._timed[name].time()

    def watch(self, status: Callable[[], Status]) -> None:
        """Measure queues and lags by `status` (see `judge.ops.status`) whenever somebody asks."""
        self._status = status
        self.registry.register(self)

    @contextmanager
    def served(self, host: str, port: int) -> Iterator[int]:
        """Answer HTTP requests at this address, in threads of their own; the port. Raises OSError
        where it is taken."""
        server, thread = start_http_server(port, addr=host, registry=self.registry)
        try:
            yield server.server_port
        finally:
            server.shutdown()
            server.server_close()
            thread.join()

    def describe(self) -> list[Metric]:
        """Return nothing yet: registering must not ask the database."""
        return []

    def collect(self) -> Iterator[Metric]:
        """Yield the measurements of this moment; `judge_up` alone where the database is out of
        reach."""
        up = GaugeMetricFamily("judge_up", "Whether the database can be read.")
        try:
            now = self._status()
        except Exception as error:
            log.warning("nothing can be measured: %s", error)
            up.add_metric([], 0)
            yield up
            return
        up.add_metric([], 1)
        yield up
        cut_off = GaugeMetricFamily("judge_cut_off", "Whether no phase runs for want of mail.")
        cut_off.add_metric([], 1 if now.cut_off else 0)
        yield cut_off
        yield _gauge("judge_mails_waiting", "Mails not done with.", "state", now.mails)
        yield _gauge("judge_letters_waiting", "Letters to be sent.", "state", now.letters.counts)
        yield _gauge("judge_games", "Games.", "state", now.games)
        yield _gauge(
            "judge_lag_seconds", "How long the oldest has waited.", "queue", asdict(now.lag)
        )
        kinds = [alarm.kind for alarm in now.alarms]
        counted = {kind: kinds.count(kind) for kind in sorted(set(kinds))}
        yield _gauge("judge_alarms", "Alarms that are on.", "kind", counted)


def _gauge(name: str, told: str, label: str, values: Mapping[Any, float]) -> Metric:
    family = GaugeMetricFamily(name, told, labels=[label])
    for key, value in values.items():
        family.add_metric([key], value)
    return family
