package io.coxswain.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class DeploymentTest {
  @RegisterExtension static final CoxswainExtension COXSWAIN = CoxswainExtension.withFlags("--nodes=2");

  private static final String WEB = "/apis/apps/v1/namespaces/default/deployments/web";
  private static final String DEPLOYMENT =
      """
      apiVersion: apps/v1
      kind: Deployment
      metadata: { name: web }
      spec:
        replicas: 3
        selector: { matchLabels: { app: web } }
        template:
          metadata: { labels: { app: web } }
          spec: { containers: [{ name: web, image: nginx }] }
      """;

  @Test
  void getsOverFailuresWithoutASleep(Cluster cluster) {
    var fault =
        cluster.addFault(
            Map.of("action", "error", "verb", "create", "resource", "pods", "code", 503, "times", 2));
    cluster.apply(DEPLOYMENT);
    cluster.idle();
    cluster.advance(Duration.ofMinutes(1));
    assertEquals(3, cluster.get(WEB).at("/status/availableReplicas").asInt());
    assertEquals(2, fault.remove());
  }

  @Test
  void leavesANodeThatIsLost(Cluster cluster) {
    cluster.apply(DEPLOYMENT);
    cluster.idle();
    cluster.failNode("node-0");
    var before = cluster.now();
    cluster.advance(Duration.ofMinutes(10));
    assertEquals(Duration.ofMinutes(10), Duration.between(before, cluster.now()));
    for (var pod : cluster.get("/api/v1/namespaces/default/pods").get("items"))
      assertTrue(
          pod.at("/metadata/deletionTimestamp").isTextual()
              || pod.at("/spec/nodeName").asText().equals("node-1"));
    cluster.recoverNode("node-0");
  }

  @Test
  void startsWithoutWhatOtherTestsMade(Cluster cluster) {
    assertEquals(404, assertThrows(Cluster.ApiException.class, () -> cluster.get(WEB)).code());
    var snapshot = cluster.snapshot();
    cluster.apply(DEPLOYMENT);
    cluster.reset(snapshot);
    assertThrows(Cluster.ApiException.class, () -> cluster.get(WEB));
  }
}
