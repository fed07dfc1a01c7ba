import pytest

kr8s = pytest.importorskip("kr8s")
from kr8s.objects import Deployment  # noqa: E402


def test_a_deployment_is_scaled(cluster, namespace):
    api = kr8s.api(kubeconfig=str(cluster.kubeconfig))
    labels = {"app": "web"}
    template = {"metadata": {"labels": labels}, "spec": {"containers": [{"name": "web", "image": "nginx"}]}}
    spec = {"selector": {"matchLabels": labels}, "template": template}
    web = Deployment({"metadata": {"name": "web", "namespace": namespace}, "spec": spec}, api=api)
    web.create()
    web.scale(3)
    cluster.idle()
    assert web.ready()
    pods = api.get("pods", namespace=namespace, label_selector=labels)
    assert [pod.status.phase for pod in pods] == ["Running"] * 3
