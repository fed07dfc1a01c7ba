package coxswaintest_test

import (
	"context"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"coxswain.io/coxswaintest"
)

const definition = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: widgets.example.com }
spec:
  group: example.com
  scope: Namespaced
  names: { plural: widgets, kind: Widget }
  versions:
    - { name: v1, served: true, storage: true, schema: { openAPIV3Schema: { type: object } } }
`

var (
	environment coxswaintest.Environment
	client      *kubernetes.Clientset
)

func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	folder, err := os.MkdirTemp("", "crds-")
	must(err)
	defer os.RemoveAll(folder)
	must(os.WriteFile(filepath.Join(folder, "widgets.yaml"), []byte(definition), 0o600))
	environment = coxswaintest.Environment{Flags: []string{"--nodes=2"}, CRDDirectoryPaths: []string{folder}}
	config, err := environment.Start()
	must(err)
	defer func() { must(environment.Stop()) }()
	client, err = kubernetes.NewForConfig(config)
	must(err)
	return m.Run()
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func deployment() *appsv1.Deployment {
	labels := map[string]string{"app": "web"}
	replicas := int32(3)
	return &appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{Name: "web"},
		Spec: appsv1.DeploymentSpec{
			Replicas: &replicas,
			Selector: &metav1.LabelSelector{MatchLabels: labels},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: labels},
				Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "web", Image: "nginx"}}},
			},
		},
	}
}

func TestADeploymentGetsOverFailuresWithoutASleep(t *testing.T) {
	ctx := context.Background()
	snapshot, err := environment.Snapshot()
	must(err)
	remove, err := environment.AddFault(coxswaintest.Fault{Action: "error", Verb: "create", Resource: "pods", Code: 503, Times: 2})
	must(err)
	_, err = client.AppsV1().Deployments("default").Create(ctx, deployment(), metav1.CreateOptions{})
	must(err)
	before, err := environment.Now()
	must(err)
	must(environment.Idle())
	must(environment.Advance(time.Minute))
	web, err := client.AppsV1().Deployments("default").Get(ctx, "web", metav1.GetOptions{})
	must(err)
	if web.Status.AvailableReplicas != 3 {
		t.Fatalf("%d replicas are available, not 3", web.Status.AvailableReplicas)
	}
	if count, err := remove(); err != nil || count != 2 {
		t.Fatalf("the fault was applied %d times (%v), not twice", count, err)
	}
	if now, err := environment.Now(); err != nil || now.Sub(before) < time.Minute {
		t.Fatalf("the clock went from %s to %s (%v)", before, now, err)
	}
	must(environment.Reset(snapshot))
	if _, err := client.AppsV1().Deployments("default").Get(ctx, "web", metav1.GetOptions{}); !apierrors.IsNotFound(err) {
		t.Fatalf("after the reset: %v", err)
	}
}

func TestDefinitionsOfTheirDirectoriesAreServed(t *testing.T) {
	path := "/apis/example.com/v1/namespaces/default/widgets"
	var code int
	client.RESTClient().Get().AbsPath(path).Do(context.Background()).StatusCode(&code)
	if code != http.StatusOK {
		t.Fatalf("%s: %d", path, code)
	}
}

func TestPodsLeaveANodeThatIsLost(t *testing.T) {
	ctx := context.Background()
	_, err := client.AppsV1().Deployments("default").Create(ctx, deployment(), metav1.CreateOptions{})
	must(err)
	must(environment.Idle())
	must(environment.FailNode("node-0"))
	must(environment.Advance(10 * time.Minute))
	pods, err := client.CoreV1().Pods("default").List(ctx, metav1.ListOptions{})
	must(err)
	for _, pod := range pods.Items {
		if pod.DeletionTimestamp == nil && pod.Spec.NodeName != "node-1" {
			t.Errorf("%s is on %s", pod.Name, pod.Spec.NodeName)
		}
	}
	must(environment.RecoverNode("node-0"))
}
