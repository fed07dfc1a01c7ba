use coxswain_test::{Cluster, Result};
use serde_json::json;

const DEPLOYMENT: &str = "
apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  replicas: 3
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec: { containers: [{ name: web, image: nginx }] }
";
const PATH: &str = "/apis/apps/v1/namespaces/default/deployments/web";

#[test]
fn a_deployment_gets_over_failures_without_a_sleep() -> Result<()> {
    let cluster = Cluster::with_flags(&["--nodes=2"])?;
    let snapshot = cluster.snapshot()?;
    let rule =
        json!({ "action": "error", "verb": "create", "resource": "pods", "code": 503, "times": 2 });
    let fault = cluster.add_fault(&rule)?;

    cluster.apply(DEPLOYMENT)?;
    cluster.idle()?;
    cluster.advance("1m")?;

    assert_eq!(cluster.get(PATH)?["status"]["availableReplicas"], 3);
    assert_eq!(fault.remove()?, 2);

    cluster.fail_node("node-0")?;
    cluster.advance("10m")?;
    let pods = cluster.get("/api/v1/namespaces/default/pods")?;
    for pod in pods["items"].as_array().unwrap() {
        assert!(
            pod["metadata"]["deletionTimestamp"].is_string() || pod["spec"]["nodeName"] == "node-1"
        );
    }
    cluster.recover_node("node-0")?;

    cluster.reset_to(&snapshot)?;
    let gone = cluster.get(PATH).unwrap_err().to_string();
    assert!(gone.contains("404") && gone.contains("not found"), "{gone}");
    cluster.reset()
}
