"""Numbers for Prometheus (https://prometheus.io/docs/instrumenting/exposition_formats/).

This module needs the extra `metrics`.

What is counted belongs to this process, what is measured is read from the database when somebody
asks. Neither tells a name or a text.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from typing import Any

from msgspec.structs import asdict
from prometheus_client import CollectorRegistry, Counter, Histogram, start_http_server
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from judge.ops.metrics import Metrics
from judge.ops.status import Status

log = logging.getLogger(__name__)


class PrometheusMetrics(Metrics):
    """The counters of one judge."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self._stored = Counter(
            "judge_mails_stored", "Mails taken in.", ["door"], registry=self.registry
        )
        self._messages = Histogram(
            "judge_mail_work_seconds", "Time one mail took.", registry=self.registry
        )
        self._games = Histogram(
            "judge_game_work_seconds",
            "Time one step of a game took: a start, a phase, a reminder.",
            registry=self.registry,
        )
        self._attempts = Counter(
            "judge_letters",
            "Attempts to send a letter, by how they ended: sent, refused or delayed.",
            ["outcome"],
            registry=self.registry,
        )
        self._failures = Counter(
            "judge_failures", "Steps that failed, by thread.", ["loop"], registry=self.registry
        )

    def stored(self, door: str) -> None:
        """Count a message that came in through a receiver."""
        self._stored.labels(door).inc()

    def message(self) -> AbstractContextManager[object]:
        """Time the processing of one message."""
        return self._messages.time()

    def game(self) -> AbstractContextManager[object]:
        """Time one step of a game."""
        return self._games.time()

    def attempt(self, outcome: str) -> None:
        """Count an attempt to send a message."""
        self._attempts.labels(outcome).inc()

    def failure(self, loop: str) -> None:
        """Count a step of a thread that failed."""
        self._failures.labels(loop).inc()

    def watch(self, status: Callable[[], Status]) -> None:
        """Measure queues and lags by `status` (see `judge.ops.status`) whenever somebody asks."""
        self.registry.register(_Measured(status))

    def serve(self, host: str, port: int) -> Server:
        """Answer HTTP requests at this address. Raises OSError where it is taken."""
        return Server(*start_http_server(port, addr=host, registry=self.registry))


class Server:
    """Answers in threads of its own until it is stopped."""

    def __init__(self, server: Any, thread: Any) -> None:
        self._server = server
        self._thread = thread

    @property
    def port(self) -> int:
        """The port it listens on."""
        return int(self._server.server_port)

    def stop(self) -> None:
        """Answer no more."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


class _Measured(Collector):
    def __init__(self, status: Callable[[], Status]) -> None:
        self._status = status

    def describe(self) -> list[Metric]:
        """Nothing yet: registering must not ask the database."""
        return []

    def collect(self) -> Iterator[Metric]:
        """The measurements of this moment; `judge_up` alone where the database is out of reach."""
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
