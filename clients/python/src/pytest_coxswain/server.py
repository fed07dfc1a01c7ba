"""The process `coxswain test-server`."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import tempfile
import threading
from collections.abc import Sequence
from pathlib import Path


def command() -> list[str]:
    """$COXSWAIN_COMMAND, or coxswain on the PATH, or the one that npx finds."""
    if given := os.environ.get("COXSWAIN_COMMAND"):
        return shlex.split(given)
    return ["coxswain"] if shutil.which("coxswain") else ["npx", "--yes", "coxswain"]


class Server:
    """Runs until it is stopped, or this process ends."""

    def __init__(self, flags: Sequence[str] = ()) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="coxswain-")
        self.kubeconfig = Path(self._folder.name) / "kubeconfig"
        self._process = subprocess.Popen(
            [*command(), "test-server", f"--kubeconfig={self.kubeconfig}", "--stop-with-input", *flags],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        self._await_ready()

    def _await_ready(self) -> None:
        said: list[str] = []
        for line in self._process.stderr:
            if line.startswith("Ready."):
                # Nobody reads its log from here on, and a full pipe would hold it up.
                threading.Thread(target=self._process.stderr.read, daemon=True).start()
                return
            said.append(line)
        self.stop()
        raise RuntimeError("coxswain test-server did not start:\n" + "".join(said))

    def stop(self) -> None:
        self._process.stdin.close()
        self._process.wait()
        self._folder.cleanup()
