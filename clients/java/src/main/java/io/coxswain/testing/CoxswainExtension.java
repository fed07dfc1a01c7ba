package io.coxswain.testing;

import java.util.List;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.Store.CloseableResource;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * One cluster for all tests with the same flags, which each test gets in its initial state as a parameter of type {@link
 * Cluster}: {@code @ExtendWith(CoxswainExtension.class)}, or a static field with {@code @RegisterExtension} and flags.
 */
public final class CoxswainExtension implements BeforeEachCallback, ParameterResolver {
  private static final Namespace NAMESPACE = Namespace.create(CoxswainExtension.class);

  private final List<String> flags;

  public CoxswainExtension() {
    this(List.of());
  }

  private CoxswainExtension(List<String> flags) {
    this.flags = flags;
  }

  /** With flags of {@code coxswain test-server}, such as {@code --nodes=3}. */
  public static CoxswainExtension withFlags(String... flags) {
    return new CoxswainExtension(List.of(flags));
  }

  @Override
  public void beforeEach(ExtensionContext context) {
    var cluster = clusterOf(context);
    cluster.call("DELETE", "faults", null);
    cluster.reset();
    cluster.call("DELETE", "requests", null);
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == Cluster.class;
  }

  @Override
  public Cluster resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return clusterOf(context);
  }

  private Cluster clusterOf(ExtensionContext context) {
    var store = context.getRoot().getStore(NAMESPACE);
    return store.getOrComputeIfAbsent(flags, Running::new, Running.class).cluster;
  }

  /** JUnit closes it when all tests have run. */
  private static final class Running implements CloseableResource {
    private final Server server;
    private final Cluster cluster;

    Running(List<String> flags) {
      try {
        server = new Server(flags);
        cluster = new Cluster(server.kubeconfig());
      } catch (Exception failure) {
        throw new IllegalStateException(failure.getMessage(), failure);
      }
    }

    @Override
    public void close() throws Exception {
      server.close();
    }
  }
}
