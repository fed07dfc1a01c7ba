package io.coxswain.testing;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ProxySelector;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** A cluster of {@code coxswain test-server}: what a test does with it. See openapi.yaml for the calls behind it. */
public final class Cluster {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Path kubeconfig;
  private final String address;
  private final String token;
  private final HttpClient client;

  Cluster(Path kubeconfig) throws IOException, GeneralSecurityException {
    this.kubeconfig = kubeconfig;
    var config = JSON.readTree(kubeconfig.toFile());
    var cluster = config.at("/clusters/0/cluster");
    address = cluster.get("server").asText();
    token = config.at("/users/0/user/token").asText();
    var authority = Base64.getDecoder().decode(cluster.get("certificate-authority-data").asText());
    // The server is on this machine, whatever proxy there may be.
    client = HttpClient.newBuilder().sslContext(trusting(authority)).proxy(ProxySelector.of(null)).build();
  }

  private static SSLContext trusting(byte[] authority) throws IOException, GeneralSecurityException {
    var store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    var factory = CertificateFactory.getInstance("X.509");
    store.setCertificateEntry("ca", factory.generateCertificate(new ByteArrayInputStream(authority)));
    var managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    managers.init(store);
    var context = SSLContext.getInstance("TLS");
    context.init(null, managers.getTrustManagers(), null);
    return context;
  }

  /** A file for any client, such as fabric8's: {@code Config.fromKubeconfig(cluster.kubeconfig().toFile())}. */
  public Path kubeconfig() {
    return kubeconfig;
  }

  /**
   * Asks the Kubernetes API.
   *
   * @param body text, which is sent as it is, an object, which is sent as JSON, or null
   * @throws ApiException for an answer that is no success
   */
  public JsonNode request(String method, String path, Object body) {
    try {
      var text = body == null ? "" : body instanceof String given ? given : JSON.writeValueAsString(body);
      var request =
          HttpRequest.newBuilder(URI.create(address + path))
              .header("Authorization", "Bearer " + token)
              .header("Content-Type", "application/json")
              .method(method, HttpRequest.BodyPublishers.ofString(text))
              .build();
      var answer = client.send(request, BodyHandlers.ofString());
      if (answer.statusCode() >= 300) throw new ApiException(answer.statusCode(), answer.body());
      return JSON.readTree(answer.body());
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(interrupted);
    }
  }

  public JsonNode get(String path) {
    return request("GET", path, null);
  }

  /** Asks the server for what is below {@code /coxswain/v1/}. */
  public JsonNode call(String method, String path, Object body) {
    return request(method, "/coxswain/v1/" + path, body);
  }

  /** Applies manifests: YAML, or an object. */
  public JsonNode apply(Object manifests) {
    return call("POST", "apply", manifests).get("items");
  }

  /** Waits until controllers, scheduler and nodes have nothing left to do. */
  public void idle() {
    call("POST", "idle", null);
  }

  public Instant now() {
    return Instant.parse(call("GET", "clock", null).get("now").asText());
  }

  /** Moves the clock, and fires every timer up to then. */
  public void advance(Duration by) {
    call("POST", "clock/advance", Map.of("by", by.toMillis() + "ms"));
  }

  public String snapshot() {
    return call("POST", "snapshots", null).get("id").asText();
  }

  /** Restores the initial state. */
  public void reset() {
    call("POST", "reset", null);
  }

  public void reset(String snapshot) {
    call("POST", "reset", Map.of("snapshot", snapshot));
  }

  /** Adds a rule by which requests go wrong: {@code Map.of("action", "error", "verb", "create", "resource", "pods")}. */
  public Fault addFault(Map<String, ?> rule) {
    var id = call("POST", "faults", rule).get("id").asText();
    return () -> call("DELETE", "faults/" + id, null).get("count").asInt();
  }

  public void failNode(String name) {
    call("POST", "nodes/" + name + "/fail", null);
  }

  public void recoverNode(String name) {
    call("POST", "nodes/" + name + "/recover", null);
  }

  /** A rule that can be taken away. */
  @FunctionalInterface
  public interface Fault {
    /** Answers with how often it was applied. */
    int remove();
  }

  /** An answer that is no success. */
  public static final class ApiException extends RuntimeException {
    private final int code;

    ApiException(int code, String said) {
      super(code + ": " + said);
      this.code = code;
    }

    public int code() {
      return code;
    }
  }
}
