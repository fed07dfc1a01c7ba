"""A test of a deployment against `coxswain test-server`, with nothing but Python's own library.

Start the server, name its kubeconfig in KUBECONFIG, and run `python3 -m unittest test_deployment.py`.
"""

import base64
import json
import os
import ssl
import unittest
import urllib.request

DEPLOYMENT = {
    "apiVersion": "apps/v1",
    "kind": "Deployment",
    "metadata": {"name": "web"},
    "spec": {
        "replicas": 3,
        "selector": {"matchLabels": {"app": "web"}},
        "template": {
            "metadata": {"labels": {"app": "web"}},
            "spec": {"containers": [{"name": "web", "image": "nginx"}]},
        },
    },
}


class Cluster:
    """The few calls that a test needs; a client library does as well."""

    def __init__(self, kubeconfig):
        # This kubeconfig is JSON, which is YAML too.
        with open(kubeconfig, encoding="utf-8") as file:
            config = json.load(file)
        cluster = config["clusters"][0]["cluster"]
        authority = base64.b64decode(cluster["certificate-authority-data"]).decode()
        self.server = cluster["server"]
        self.token = config["users"][0]["user"]["token"]
        self.tls = ssl.create_default_context(cadata=authority)

    def call(self, method, path, body=None):
        request = urllib.request.Request(
            self.server + path,
            method=method,
            data=None if body is None else json.dumps(body).encode(),
            headers={"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"},
        )
        with urllib.request.urlopen(request, context=self.tls) as answer:
            return json.load(answer)

    def testing(self, method, path, body=None):
        return self.call(method, f"/coxswain/v1/{path}", body)


class DeploymentTest(unittest.TestCase):
    def setUp(self):
        self.cluster = Cluster(os.environ["KUBECONFIG"])
        self.cluster.testing("POST", "reset")

    def available(self):
        web = self.cluster.call("GET", "/apis/apps/v1/namespaces/default/deployments/web")
        return web["status"].get("availableReplicas", 0)

    def test_it_becomes_available_without_a_sleep(self):
        self.cluster.testing("POST", "apply", DEPLOYMENT)
        self.cluster.testing("POST", "idle")
        self.assertEqual(self.available(), 3)

    def test_it_gets_over_a_server_that_fails(self):
        self.cluster.testing(
            "POST",
            "faults",
            {"verb": "create", "resource": "pods", "action": "error", "code": 503, "times": 2},
        )
        self.cluster.testing("POST", "apply", DEPLOYMENT)
        self.cluster.testing("POST", "idle")
        self.cluster.testing("POST", "clock/advance", {"by": "1m"})
        self.assertEqual(self.available(), 3)
        failed = self.cluster.testing("GET", "requests?verb=create&resource=pods")["items"]
        self.assertEqual([request["status"] for request in failed].count(503), 2)

    def test_pods_leave_a_node_that_is_lost(self):
        self.cluster.testing("POST", "apply", DEPLOYMENT)
        self.cluster.testing("POST", "idle")
        self.cluster.testing("POST", "nodes/node-0/fail")
        self.cluster.testing("POST", "clock/advance", {"by": "10m"})
        pods = self.cluster.call("GET", "/api/v1/namespaces/default/pods")["items"]
        running = [pod for pod in pods if pod["status"]["phase"] == "Running" and "deletionTimestamp" not in pod["metadata"]]
        self.assertEqual({pod["spec"]["nodeName"] for pod in running}, {"node-1"})


if __name__ == "__main__":
    unittest.main()
