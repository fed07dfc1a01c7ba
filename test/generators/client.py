"""Uses the Python client that openapi-generator made: python client.py FOLDER SERVER TOKEN."""

import json
import sys

folder, server, token = sys.argv[1:4]
sys.path.insert(0, folder)

import generated_client as k8s  # noqa: E402
import urllib3  # noqa: E402

urllib3.disable_warnings()
configuration = k8s.Configuration(host=server)
configuration.verify_ssl = False
configuration.api_key["BearerToken"] = f"Bearer {token}"

with k8s.ApiClient(configuration) as client:
    core, apps = k8s.CoreV1Api(client), k8s.AppsV1Api(client)
    assert "default" in [item.metadata.name for item in core.list_core_v1_namespace().items]
    meta = k8s.IoK8sApimachineryPkgApisMetaV1ObjectMeta(name="generated")
    made = core.create_core_v1_namespaced_config_map(
        "default", k8s.IoK8sApiCoreV1ConfigMap(metadata=meta, data={"a": "b"})
    )
    made.data["c"] = "d"
    replaced = core.replace_core_v1_namespaced_config_map("generated", "default", made)
    assert replaced.data == {"a": "b", "c": "d"}, replaced.data
    deployment = k8s.IoK8sApiAppsV1Deployment.from_dict(
        {
            "metadata": {"name": "generated"},
            "spec": {
                "selector": {"matchLabels": {"a": "b"}},
                "template": {
                    "metadata": {"labels": {"a": "b"}},
                    "spec": {"containers": [{"name": "c", "image": "i"}]},
                },
            },
        }
    )
    assert apps.create_apps_v1_namespaced_deployment("default", deployment).spec.replicas == 1
    patch = {"spec": {"replicas": 3}}
    patched = apps.patch_apps_v1_namespaced_deployment(
        "generated", "default", patch, _content_type="application/merge-patch+json"
    )
    assert patched.spec.replicas == 3
    watch = core.list_core_v1_namespaced_config_map_without_preload_content(
        "default", watch=True, timeout_seconds=1
    )
    events = [json.loads(line) for line in watch.data.decode().splitlines() if line]
    assert "generated" in [event["object"]["metadata"]["name"] for event in events]
    apps.delete_apps_v1_namespaced_deployment("generated", "default")
    core.delete_core_v1_namespaced_config_map("generated", "default")
print("the Python client lists, creates, replaces, patches, watches and deletes")
