"""Fixtures: one server for a test run, which each test gets back in its initial state."""

from __future__ import annotations

import itertools
import shlex
from collections.abc import Iterator

import pytest

from .cluster import Clock, Cluster, Faults
from .server import Server

_numbers = itertools.count(1)


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("coxswain")
    group.addoption("--coxswain-flags", default="", help="Flags of coxswain test-server, such as --nodes=3.")


@pytest.fixture(scope="session")
def coxswain_server(request: pytest.FixtureRequest) -> Iterator[Cluster]:
    """The cluster of the whole run, which tests share."""
    server = Server(shlex.split(request.config.getoption("--coxswain-flags")))
    yield Cluster(server.kubeconfig)
    server.stop()


@pytest.fixture
def cluster(coxswain_server: Cluster) -> Cluster:
    """A cluster in its initial state, without faults."""
    coxswain_server.faults.clear()
    coxswain_server.reset()
    coxswain_server.call("DELETE", "requests")
    return coxswain_server


@pytest.fixture
def namespace(cluster: Cluster) -> str:
    """The name of a namespace that is this test's own, with its service account."""
    name = f"test-{next(_numbers)}"
    cluster.apply({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}})
    cluster.idle()
    return name


@pytest.fixture
def clock(cluster: Cluster) -> Clock:
    return cluster.clock


@pytest.fixture
def faults(cluster: Cluster) -> Faults:
    return cluster.faults
