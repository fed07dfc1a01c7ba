package io.coxswain.testing;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.stream.Stream;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.utility.DockerImageName;

/**
 * {@code coxswain test-server} in a container, as a module of Testcontainers, which has to be among the dependencies of the
 * tests: {@code new CoxswainContainer(image).withFlags("--nodes=2")}.
 */
public class CoxswainContainer extends GenericContainer<CoxswainContainer> {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int PORT = 6443;
  private static final String KUBECONFIG = "/tmp/kubeconfig";

  public CoxswainContainer(String image) {
    this(DockerImageName.parse(image));
  }

  public CoxswainContainer(DockerImageName image) {
    super(image);
    withExposedPorts(PORT);
    withFlags();
    waitingFor(Wait.forLogMessage("Ready\\..*\\s*", 1));
  }

  /** With flags of {@code coxswain test-server}. */
  public final CoxswainContainer withFlags(String... flags) {
    var own = List.of("test-server", "--bind-address=0.0.0.0", "--port=" + PORT, "--kubeconfig=" + KUBECONFIG);
    return withCommand(Stream.concat(own.stream(), Stream.of(flags)).toArray(String[]::new));
  }

  /** For any client outside the container, such as fabric8's: {@code Config.fromKubeconfig(text)}. */
  public String getKubeConfigYaml() {
    return copyFileFromContainer(
        KUBECONFIG,
        file -> {
          var config = JSON.readTree(file);
          var cluster = (ObjectNode) config.at("/clusters/0/cluster");
          cluster.put("server", "https://" + getHost() + ":" + getMappedPort(PORT));
          return JSON.writeValueAsString(config);
        });
  }

  /** Its clock, faults and other calls. */
  public Cluster cluster() throws IOException, GeneralSecurityException {
    var file = Files.createTempFile("coxswain-", ".kubeconfig");
    file.toFile().deleteOnExit();
    return new Cluster(Files.writeString(file, getKubeConfigYaml()));
  }
}
