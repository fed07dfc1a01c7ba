import pytest
from pytest_coxswain import ApiError

DEPLOYMENT = """
apiVersion: apps/v1
kind: Deployment
metadata: { name: web, namespace: NAMESPACE }
spec:
  replicas: 3
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec: { containers: [{ name: web, image: nginx }] }
"""


def available(cluster, namespace):
    web = cluster.get(f"/apis/apps/v1/namespaces/{namespace}/deployments/web")
    return web["status"].get("availableReplicas", 0)


def test_a_deployment_becomes_available_without_a_sleep(cluster, namespace):
    cluster.apply(DEPLOYMENT.replace("NAMESPACE", namespace))
    cluster.idle()
    assert available(cluster, namespace) == 3


def test_it_gets_over_a_server_that_fails(cluster, namespace, clock, faults):
    fault = faults.add("error", verb="create", resource="pods", code=503, times=2)
    cluster.apply(DEPLOYMENT.replace("NAMESPACE", namespace))
    cluster.idle()
    clock.advance("1m")
    assert available(cluster, namespace) == 3
    assert fault.remove() == 2
    statuses = [request["status"] for request in cluster.requests(verb="create", resource="pods")]
    assert statuses.count(503) == 2


def test_pods_leave_a_node_that_is_lost(cluster, namespace, clock):
    cluster.apply(DEPLOYMENT.replace("NAMESPACE", namespace))
    cluster.idle()
    cluster.node("node-0", "fail")
    before = clock.now()
    clock.advance("10m")
    assert (clock.now() - before).total_seconds() == 600
    pods = cluster.get(f"/api/v1/namespaces/{namespace}/pods")["items"]
    alive = [pod for pod in pods if "deletionTimestamp" not in pod["metadata"]]
    assert {pod["spec"]["nodeName"] for pod in alive} == {"node-1"}


def test_nothing_of_other_tests_is_left(cluster):
    assert cluster.get("/apis/apps/v1/deployments")["items"] == []
    snapshot = cluster.snapshot()
    cluster.apply([{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}}])
    cluster.reset(snapshot)
    with pytest.raises(ApiError, match='404: configmaps "a" not found'):
        cluster.get("/api/v1/namespaces/default/configmaps/a")
