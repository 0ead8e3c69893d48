"""A line to a server that breaks."""

from __future__ import annotations

import contextlib
import socket
import threading


class Cutting:
    """A way to the server that breaks after so many bytes from there, each time it is taken."""

    def __init__(self, port: int, after: list[int]) -> None:
        self._port = port
        self._after = after
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self.cut = 0
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                near, _ = self._listener.accept()
                limit = self._after.pop(0) if self._after else None
                far = socket.create_connection(("127.0.0.1", self._port))
                for source, target, most in ((near, far, None), (far, near, limit)):
                    threading.Thread(
                        target=self._pass, args=(source, target, most), daemon=True
                    ).start()

    def _pass(self, source: socket.socket, target: socket.socket, most: int | None) -> None:
        passed = 0
        with contextlib.suppress(OSError):
            while data := source.recv(4096):
                if most is not None and passed + len(data) >= most:
                    target.sendall(data[: most - passed])
                    self.cut += 1
                    break
                target.sendall(data)
                passed += len(data)
        for end in (source, target):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()

    def __enter__(self) -> Cutting:
        return self

    def __exit__(self, *raised: object) -> None:
        self._listener.close()
