"""What a test does with a cluster. See openapi.yaml for the calls behind it."""

from __future__ import annotations

import base64
import json
import ssl
import urllib.error
import urllib.request
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

Manifest = str | Mapping[str, Any] | Sequence[Mapping[str, Any]]


class ApiError(Exception):
    """An answer that is no success; `status` is the object of kind Status, where there is one."""

    def __init__(self, code: int, status: Mapping[str, Any]) -> None:
        super().__init__(f"{code}: {status.get('message', '')}")
        self.code = code
        self.status = status


class Cluster:
    """A cluster of `coxswain test-server`. `kubeconfig` is a file for any client."""

    def __init__(self, kubeconfig: str | Path) -> None:
        self.kubeconfig = Path(kubeconfig)
        config = json.loads(self.kubeconfig.read_text(encoding="utf-8"))
        cluster = config["clusters"][0]["cluster"]
        authority = base64.b64decode(cluster["certificate-authority-data"]).decode()
        tls = urllib.request.HTTPSHandler(context=ssl.create_default_context(cadata=authority))
        # The server is on this machine, whatever proxy there may be.
        self._opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), tls)
        self._server = cluster["server"]
        self._token = config["users"][0]["user"]["token"]
        self.clock = Clock(self)
        self.faults = Faults(self)

    def request(self, method: str, path: str, body: Any = None) -> Any:
        """Asks the Kubernetes API: `cluster.request("GET", "/api/v1/nodes")["items"]`."""
        data = body.encode() if isinstance(body, str) else None if body is None else json.dumps(body).encode()
        headers = {"Authorization": f"Bearer {self._token}", "Content-Type": "application/json"}
        request = urllib.request.Request(self._server + path, data, headers, method=method)
        try:
            with self._opener.open(request) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            text = error.read().decode(errors="replace")
            raise ApiError(error.code, _status(text)) from None

    def get(self, path: str) -> Any:
        return self.request("GET", path)

    def call(self, method: str, path: str, body: Any = None) -> Any:
        """Asks the server for what is below `/coxswain/v1/`."""
        return self.request(method, f"/coxswain/v1/{path}", body)

    def apply(self, manifest: Manifest) -> list[dict[str, Any]]:
        """Applies YAML, an object, or a list of them."""
        if not isinstance(manifest, str) and isinstance(manifest, Sequence):
            manifest = {"apiVersion": "v1", "kind": "List", "items": list(manifest)}
        return self.call("POST", "apply", manifest)["items"]

    def idle(self) -> None:
        """Waits until controllers, scheduler and nodes have nothing left to do."""
        self.call("POST", "idle")

    def snapshot(self) -> str:
        return self.call("POST", "snapshots")["id"]

    def reset(self, snapshot: str | None = None) -> None:
        self.call("POST", "reset", {} if snapshot is None else {"snapshot": snapshot})

    def requests(self, **pattern: str) -> list[dict[str, Any]]:
        """What was asked of the API: `cluster.requests(verb="create", resource="pods")`."""
        return self.call("GET", f"requests?{urlencode(pattern)}")["items"]

    def node(self, name: str, action: str) -> None:
        """Lets a node `fail` or `recover`."""
        self.call("POST", f"nodes/{name}/{action}")


class Clock:
    """Moves only when a test says so."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster

    def now(self) -> datetime:
        return datetime.fromisoformat(self._cluster.call("GET", "clock")["now"].replace("Z", "+00:00"))

    def advance(self, by: str) -> None:
        """Fires every timer up to then: `clock.advance("2h")`."""
        self._cluster.call("POST", "clock/advance", {"by": by})


class Faults:
    """What goes wrong: `faults.add("error", verb="create", resource="pods", code=503, times=2)`."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster

    def add(self, action: str, **rule: Any) -> Fault:
        return Fault(self._cluster, self._cluster.call("POST", "faults", {"action": action, **rule})["id"])

    def clear(self) -> None:
        self._cluster.call("DELETE", "faults")


class Fault:
    def __init__(self, cluster: Cluster, id: str) -> None:
        self._cluster = cluster
        self._id = id

    def remove(self) -> int:
        """Answers with how often it was applied."""
        return self._cluster.call("DELETE", f"faults/{self._id}")["count"]


def _status(text: str) -> dict[str, Any]:
    try:
        status = json.loads(text)
        return status if isinstance(status, dict) else {"message": text}
    except ValueError:
        return {"message": text}
