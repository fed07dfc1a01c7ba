"""Kubernetes for tests: `coxswain test-server` as fixtures of pytest."""

from .cluster import ApiError, Clock, Cluster, Fault, Faults

__all__ = ["ApiError", "Clock", "Cluster", "Fault", "Faults"]
