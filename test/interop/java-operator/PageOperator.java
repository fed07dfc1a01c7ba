import io.fabric8.kubernetes.api.model.*;
import io.fabric8.kubernetes.api.model.apps.*;
import io.fabric8.kubernetes.client.*;
import io.fabric8.kubernetes.model.annotation.*;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.fabric8.kubernetes.model.annotation.Version;
import io.javaoperatorsdk.operator.Operator;
import io.javaoperatorsdk.operator.api.reconciler.*;
import io.javaoperatorsdk.operator.api.reconciler.dependent.*;
import io.javaoperatorsdk.operator.processing.dependent.kubernetes.*;
import io.javaoperatorsdk.operator.processing.dependent.workflow.Condition;
import java.util.*;
import java.util.concurrent.TimeUnit;
import java.util.function.*;

public class PageOperator {
  public static class PageSpec { public String html; public Integer replicas; public Boolean exposed; }
  public static class PageStatus { public Integer ready; public Long observedGeneration; public String told; }
  @Group("try.example") @Version("v1") @Kind("Page") @Plural("pages")
  public static class Page extends CustomResource<PageSpec, PageStatus> implements Namespaced {}

  static Map<String, String> labels(Page p) { return Map.of("page", p.getMetadata().getName(), "managed", "yes"); }
  static ObjectMeta meta(Page p) {
    return new ObjectMetaBuilder().withName(p.getMetadata().getName()).withNamespace(p.getMetadata().getNamespace()).withLabels(labels(p)).build();
  }

  @KubernetesDependent(informer = @io.javaoperatorsdk.operator.api.config.informer.Informer(labelSelector = "managed=yes"))
  public static class Html extends CRUDKubernetesDependentResource<ConfigMap, Page> {
    public Html() { super(ConfigMap.class); }
    protected ConfigMap desired(Page p, Context<Page> c) {
      return new ConfigMapBuilder().withMetadata(meta(p)).withData(Map.of("index.html", p.getSpec().html)).build();
    }
  }
  @KubernetesDependent(informer = @io.javaoperatorsdk.operator.api.config.informer.Informer(labelSelector = "managed=yes"))
  public static class Web extends CRUDKubernetesDependentResource<Deployment, Page> {
    public Web() { super(Deployment.class); }
    protected Deployment desired(Page p, Context<Page> c) {
      return new DeploymentBuilder().withMetadata(meta(p)).withNewSpec().withReplicas(p.getSpec().replicas)
        .withNewSelector().withMatchLabels(labels(p)).endSelector()
        .withNewTemplate().withNewMetadata().withLabels(labels(p)).endMetadata().withNewSpec()
        .addNewContainer().withName("web").withImage("nginx").addNewPort().withContainerPort(80).endPort()
        .withNewResources().addToRequests("cpu", new Quantity("0.1")).addToLimits("memory", new Quantity("1024Mi")).endResources()
        .addNewEnv().withName("A").withValue("b").endEnv().endContainer()
        .endSpec().endTemplate().endSpec().build();
    }
  }
  @KubernetesDependent(informer = @io.javaoperatorsdk.operator.api.config.informer.Informer(labelSelector = "managed=yes"))
  public static class Face extends CRUDKubernetesDependentResource<Service, Page> {
    public Face() { super(Service.class); }
    protected Service desired(Page p, Context<Page> c) {
      return new ServiceBuilder().withMetadata(meta(p)).withNewSpec().withSelector(labels(p)).addNewPort().withPort(80).withTargetPort(new IntOrString(80)).endPort().endSpec().build();
    }
  }
  public static class Exposed implements Condition<Service, Page> {
    public boolean isMet(DependentResource<Service, Page> d, Page p, Context<Page> c) { return Boolean.TRUE.equals(p.getSpec().exposed); }
  }
  public static class Ready implements Condition<Deployment, Page> {
    public boolean isMet(DependentResource<Deployment, Page> d, Page p, Context<Page> c) {
      return d.getSecondaryResource(p, c).map(w -> w.getStatus() != null && Objects.equals(w.getStatus().getReadyReplicas(), p.getSpec().replicas)).orElse(false);
    }
  }
  static int reconciles = 0, cleaned = 0;
  @Workflow(dependents = {
    @Dependent(name = "html", type = Html.class),
    @Dependent(name = "web", type = Web.class, dependsOn = "html", readyPostcondition = Ready.class),
    @Dependent(name = "face", type = Face.class, dependsOn = "web", reconcilePrecondition = Exposed.class)})
  @ControllerConfiguration
  public static class PageReconciler implements Reconciler<Page>, Cleaner<Page> {
    public UpdateControl<Page> reconcile(Page p, Context<Page> c) {
      reconciles++;
      PageStatus s = new PageStatus();
      s.ready = c.getSecondaryResource(Deployment.class).map(w -> w.getStatus() == null ? null : w.getStatus().getReadyReplicas()).orElse(0);
      s.observedGeneration = p.getMetadata().getGeneration();
      s.told = c.getSecondaryResource(ConfigMap.class).map(m -> m.getData().get("index.html")).orElse("");
      Page patch = new Page();
      patch.setMetadata(new ObjectMetaBuilder().withName(p.getMetadata().getName()).withNamespace(p.getMetadata().getNamespace()).build());
      patch.setStatus(s);
      return UpdateControl.patchStatus(patch);
    }
    public DeleteControl cleanup(Page p, Context<Page> c) { cleaned++; return DeleteControl.defaultDelete(); }
  }

  static void test(String name, BooleanSupplier holds) throws Exception {
    long end = System.currentTimeMillis() + 60000; boolean ok = false; String why = "";
    while (!ok && System.currentTimeMillis() < end) { try { ok = holds.getAsBoolean(); } catch (Exception e) { why = e.toString(); } if (!ok) Thread.sleep(200); }
    System.out.println((ok ? "ok " : "not ok ") + name + (ok ? "" : " " + why));
  }
  public static void main(String[] args) throws Exception {
    KubernetesClient k = new KubernetesClientBuilder().build();
    k.load(new java.io.FileInputStream(args[0])).serverSideApply();
    test("definition is established", () -> k.apiextensions().v1().customResourceDefinitions().withName("pages.try.example").get().getStatus().getConditions().stream().anyMatch(x -> x.getType().equals("Established") && x.getStatus().equals("True")));
    k.namespaces().resource(new NamespaceBuilder().withNewMetadata().withName("pages").endMetadata().build()).serverSideApply();
    Operator o = new Operator(x -> x.withKubernetesClient(k)); o.register(new PageReconciler()); o.start();
    Page p = new Page(); p.setMetadata(new ObjectMetaBuilder().withName("home").withNamespace("pages").build());
    PageSpec spec = new PageSpec(); spec.html = "hello"; spec.replicas = 2; spec.exposed = true; p.setSpec(spec);
    k.resource(p).create();
    Supplier<Page> now = () -> k.resources(Page.class).inNamespace("pages").withName("home").get();
    test("finalizer is added", () -> now.get().getMetadata().getFinalizers().size() == 1);
    test("config map is made", () -> k.configMaps().inNamespace("pages").withName("home").get().getData().get("index.html").equals("hello"));
    test("deployment gets ready", () -> k.apps().deployments().inNamespace("pages").withName("home").get().getStatus().getReadyReplicas() == 2);
    test("status tells so", () -> now.get().getStatus().ready == 2);
    test("service follows", () -> k.services().inNamespace("pages").withName("home").get() != null);
    test("owner is named", () -> k.services().inNamespace("pages").withName("home").get().getMetadata().getOwnerReferences().get(0).getKind().equals("Page"));
    k.resources(Page.class).inNamespace("pages").withName("home").edit(x -> { x.getSpec().html = "changed"; x.getSpec().replicas = 3; x.getSpec().exposed = false; return x; });
    test("change reaches the config map", () -> k.configMaps().inNamespace("pages").withName("home").get().getData().get("index.html").equals("changed"));
    test("service goes", () -> k.services().inNamespace("pages").withName("home").get() == null);
    test("three are ready", () -> now.get().getStatus().ready == 3);
    test("generation is observed", () -> now.get().getStatus().observedGeneration == 2);
    k.apps().deployments().inNamespace("pages").withName("home").edit(x -> { x.getSpec().setReplicas(7); return x; });
    test("drift is put right", () -> k.apps().deployments().inNamespace("pages").withName("home").get().getSpec().getReplicas() == 3);
    k.configMaps().inNamespace("pages").withName("home").delete();
    test("what was deleted comes again", () -> k.configMaps().inNamespace("pages").withName("home").get() != null);
    Thread.sleep(5000); int before = reconciles; Thread.sleep(5000);
    test("then there is rest", () -> reconciles - before <= 0);
    System.out.println("# reconciles " + reconciles + ", generation of the deployment " + k.apps().deployments().inNamespace("pages").withName("home").get().getMetadata().getGeneration());
    k.resource(p).delete();
    test("cleaned up", () -> now.get() == null && cleaned == 1);
    test("what it owned is gone", () -> k.apps().deployments().inNamespace("pages").withName("home").get() == null && k.pods().inNamespace("pages").list().getItems().isEmpty());
    o.stop(); System.exit(0);
  }
}
