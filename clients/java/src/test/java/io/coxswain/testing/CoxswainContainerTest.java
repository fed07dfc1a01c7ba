package io.coxswain.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.Test;

/** With Docker, and COXSWAIN_IMAGE as the name of the image. */
class CoxswainContainerTest {
  @Test
  void servesAClusterOutsideTheContainer() throws Exception {
    var image = System.getenv("COXSWAIN_IMAGE");
    assumeTrue(image != null, "COXSWAIN_IMAGE is not set");
    try (var container = new CoxswainContainer(image).withFlags("--nodes=2")) {
      container.start();
      var cluster = container.cluster();
      cluster.idle();
      assertEquals(2, cluster.get("/api/v1/nodes").get("items").size());
    }
  }
}
