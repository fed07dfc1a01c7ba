// Command client-go does what programs do with the client-go that it is built with, and prints a line for each attempt.
package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	authenticationv1 "k8s.io/api/authentication/v1"
	authorizationv1 "k8s.io/api/authorization/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apimachinery/pkg/util/wait"
	appsapply "k8s.io/client-go/applyconfigurations/apps/v1"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/dynamic/dynamicinformer"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
	"k8s.io/client-go/tools/pager"
	"k8s.io/client-go/tools/record"
	"k8s.io/client-go/tools/remotecommand"
	"k8s.io/client-go/util/retry"
)

const namespace = "client-go"

var (
	ctx         context.Context
	config      *rest.Config
	client      kubernetes.Interface
	dynamics    dynamic.Interface
	definitions = schema.GroupVersionResource{Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions"}
	widgets     = schema.GroupVersionResource{Group: "example.com", Version: "v1", Resource: "widgets"}
)

func main() {
	var cancel context.CancelFunc
	ctx, cancel = context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	config = must(clientcmd.BuildConfigFromFlags("", os.Getenv("KUBECONFIG")))
	client = must(kubernetes.NewForConfig(config))
	dynamics = must(dynamic.NewForConfig(config))
	failed := 0
	for _, each := range []struct {
		name string
		try  func() error
	}{
		{"discovery finds the preferred resources", discovers},
		{"a typed Deployment becomes available in an informer", deploys},
		{"a protobuf client reads what JSON wrote", readsProtobuf},
		{"scale, strategic merge patch and status agree", scales},
		{"server-side apply with apply configurations conflicts where it must", applies},
		{"an update is retried after a conflict", retries},
		{"a pager reads pages at one revision", pages},
		{"a watch goes on from a list, with bookmarks", watches},
		{"logs and exec answer", executes},
		{"an eviction is refused by a budget", evicts},
		{"access reviews and token requests answer", reviews},
		{"a definition, the dynamic client and its informer", custom},
		{"the metadata client reads metadata only", readsMetadata},
		{"leader election hands over", elects},
		{"an event recorder counts equal events", records},
		{"deleting the namespace deletes all", cleans},
	} {
		if err := each.try(); err != nil {
			failed++
			fmt.Printf("failed  %s: %v\n", each.name, err)
		} else {
			fmt.Printf("passed  %s\n", each.name)
		}
	}
	if failed > 0 {
		os.Exit(1)
	}
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func eventually(holds func() (bool, error)) error {
	return wait.PollUntilContextTimeout(ctx, 50*time.Millisecond, 30*time.Second, true, func(context.Context) (bool, error) { return holds() })
}

func discovers() error {
	lists, err := client.Discovery().ServerPreferredResources()
	if err != nil {
		return err
	}
	for _, list := range lists {
		if list.GroupVersion == "apps/v1" {
			return nil
		}
	}
	return errors.New("apps/v1 is missing")
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
				ObjectMeta: metav1.ObjectMeta{Labels: labels, Annotations: map[string]string{"sim.coxswain.io/log": "hello from {pod}"}},
				Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "web", Image: "nginx"}}},
			},
		},
	}
}

func deploys() error {
	if _, err := client.CoreV1().Namespaces().Create(ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: namespace}}, metav1.CreateOptions{}); err != nil {
		return err
	}
	factory := informers.NewSharedInformerFactoryWithOptions(client, 0, informers.WithNamespace(namespace))
	lister := factory.Apps().V1().Deployments().Lister()
	factory.Start(ctx.Done())
	for kind, synced := range factory.WaitForCacheSync(ctx.Done()) {
		if !synced {
			return fmt.Errorf("%v did not sync", kind)
		}
	}
	if _, err := client.AppsV1().Deployments(namespace).Create(ctx, deployment(), metav1.CreateOptions{FieldManager: "creator"}); err != nil {
		return err
	}
	return eventually(func() (bool, error) {
		web, err := lister.Deployments(namespace).Get("web")
		return err == nil && web.Status.AvailableReplicas == 3, nil
	})
}

func readsProtobuf() error {
	other := rest.CopyConfig(config)
	other.ContentType = "application/vnd.kubernetes.protobuf"
	web, err := must(kubernetes.NewForConfig(other)).AppsV1().Deployments(namespace).Get(ctx, "web", metav1.GetOptions{})
	if err != nil {
		return err
	}
	if image := web.Spec.Template.Spec.Containers[0].Image; image != "nginx" {
		return errors.New("image " + image)
	}
	return nil
}

func scales() error {
	deployments := client.AppsV1().Deployments(namespace)
	scale, err := deployments.GetScale(ctx, "web", metav1.GetOptions{})
	if err != nil {
		return err
	}
	scale.Spec.Replicas = 2
	if _, err := deployments.UpdateScale(ctx, "web", scale, metav1.UpdateOptions{}); err != nil {
		return err
	}
	patch := []byte(`{"spec":{"template":{"spec":{"containers":[{"name":"web","env":[{"name":"A","value":"1"}]}]}}}}`)
	if _, err := deployments.Patch(ctx, "web", types.StrategicMergePatchType, patch, metav1.PatchOptions{}); err != nil {
		return err
	}
	return eventually(func() (bool, error) {
		web, err := deployments.Get(ctx, "web", metav1.GetOptions{})
		return err == nil && web.Status.ObservedGeneration == web.Generation && web.Status.UpdatedReplicas == 2 && web.Status.AvailableReplicas == 2 && web.Status.Replicas == 2, err
	})
}

func applies() error {
	deployments := client.AppsV1().Deployments(namespace)
	wanted := appsapply.Deployment("web", namespace).WithSpec(appsapply.DeploymentSpec().WithMinReadySeconds(1).WithRevisionHistoryLimit(5))
	if _, err := deployments.Apply(ctx, wanted, metav1.ApplyOptions{FieldManager: "first"}); !apierrors.IsConflict(err) {
		return fmt.Errorf("a conflict was expected, not %v", err)
	}
	if _, err := deployments.Apply(ctx, wanted, metav1.ApplyOptions{FieldManager: "first", Force: true}); err != nil {
		return err
	}
	web, err := deployments.Get(ctx, "web", metav1.GetOptions{})
	if err != nil {
		return err
	}
	extracted, err := appsapply.ExtractDeployment(web, "first")
	if err != nil {
		return err
	}
	if extracted.Spec == nil || extracted.Spec.MinReadySeconds == nil || *extracted.Spec.MinReadySeconds != 1 {
		return fmt.Errorf("extracted %+v", extracted.Spec)
	}
	return nil
}

func retries() error {
	deployments := client.AppsV1().Deployments(namespace)
	stale := must(deployments.Get(ctx, "web", metav1.GetOptions{}))
	attempts := 0
	return retry.RetryOnConflict(retry.DefaultRetry, func() error {
		web := stale
		if attempts++; attempts > 1 {
			web = must(deployments.Get(ctx, "web", metav1.GetOptions{}))
		} else {
			must(deployments.Patch(ctx, "web", types.MergePatchType, []byte(`{"metadata":{"labels":{"touched":"yes"}}}`), metav1.PatchOptions{}))
		}
		web.Annotations["note"] = "updated"
		_, err := deployments.Update(ctx, web, metav1.UpdateOptions{})
		if attempts == 1 && !apierrors.IsConflict(err) {
			return fmt.Errorf("a conflict was expected, not %v", err)
		}
		return err
	})
}

func pages() error {
	maps := client.CoreV1().ConfigMaps(namespace)
	for index := range 25 {
		object := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("map-%02d", index), Labels: map[string]string{"pages": "yes"}}}
		if _, err := maps.Create(ctx, object, metav1.CreateOptions{}); err != nil {
			return err
		}
	}
	reader := pager.New(pager.SimplePageFunc(func(options metav1.ListOptions) (runtime.Object, error) { return maps.List(ctx, options) }))
	reader.PageSize = 10
	count := 0
	err := reader.EachListItem(ctx, metav1.ListOptions{LabelSelector: "pages=yes"}, func(runtime.Object) error { count++; return nil })
	if err == nil && count != 25 {
		err = fmt.Errorf("%d objects", count)
	}
	return err
}

func watches() error {
	maps := client.CoreV1().ConfigMaps(namespace)
	list, err := maps.List(ctx, metav1.ListOptions{LabelSelector: "pages=yes"})
	if err != nil {
		return err
	}
	watch, err := maps.Watch(ctx, metav1.ListOptions{ResourceVersion: list.ResourceVersion, LabelSelector: "pages=yes", AllowWatchBookmarks: true})
	if err != nil {
		return err
	}
	defer watch.Stop()
	if err := maps.DeleteCollection(ctx, metav1.DeleteOptions{}, metav1.ListOptions{LabelSelector: "pages=yes"}); err != nil {
		return err
	}
	deleted := 0
	for event := range watch.ResultChan() {
		if event.Type == "DELETED" {
			if deleted++; deleted == len(list.Items) {
				return nil
			}
		}
	}
	return fmt.Errorf("%d of %d", deleted, len(list.Items))
}

func pod() (*corev1.Pod, error) {
	list, err := client.CoreV1().Pods(namespace).List(ctx, metav1.ListOptions{LabelSelector: "app=web", FieldSelector: "status.phase=Running"})
	if err != nil {
		return nil, err
	}
	for index := range list.Items {
		if list.Items[index].DeletionTimestamp == nil {
			return &list.Items[index], nil
		}
	}
	return nil, errors.New("no pod runs")
}

func executes() error {
	target, err := pod()
	if err != nil {
		return err
	}
	log, err := client.CoreV1().Pods(namespace).GetLogs(target.Name, &corev1.PodLogOptions{}).DoRaw(ctx)
	if err != nil || !bytes.Contains(log, []byte("hello from "+target.Name)) {
		return fmt.Errorf("log %q %v", log, err)
	}
	request := client.CoreV1().RESTClient().Post().Resource("pods").Namespace(namespace).Name(target.Name).SubResource("exec").
		VersionedParams(&corev1.PodExecOptions{Command: []string{"cat"}, Stdin: true, Stdout: true, Stderr: true}, scheme.ParameterCodec)
	executors := map[string]remotecommand.Executor{}
	executors["SPDY"] = must(remotecommand.NewSPDYExecutor(config, "POST", request.URL()))
	executors["WebSocket"] = must(remotecommand.NewWebSocketExecutor(config, "GET", request.URL().String()))
	for name, executor := range executors {
		var out, problems bytes.Buffer
		err := executor.StreamWithContext(ctx, remotecommand.StreamOptions{Stdin: bytes.NewBufferString("echo"), Stdout: &out, Stderr: &problems})
		if err != nil || out.String() != "echo" {
			return fmt.Errorf("%s: %q %q %v", name, out.String(), problems.String(), err)
		}
	}
	return nil
}

func evicts() error {
	minAvailable := intstr.FromString("100%")
	budget := &policyv1.PodDisruptionBudget{
		ObjectMeta: metav1.ObjectMeta{Name: "web"},
		Spec: policyv1.PodDisruptionBudgetSpec{
			MinAvailable: &minAvailable,
			Selector:     &metav1.LabelSelector{MatchLabels: map[string]string{"app": "web"}},
		},
	}
	budgets := client.PolicyV1().PodDisruptionBudgets(namespace)
	if _, err := budgets.Create(ctx, budget, metav1.CreateOptions{}); err != nil {
		return err
	}
	if err := eventually(func() (bool, error) {
		seen, err := budgets.Get(ctx, "web", metav1.GetOptions{})
		return err == nil && seen.Status.ExpectedPods == 2, err
	}); err != nil {
		return err
	}
	target, err := pod()
	if err != nil {
		return err
	}
	eviction := &policyv1.Eviction{ObjectMeta: metav1.ObjectMeta{Name: target.Name, Namespace: namespace}}
	if err := client.PolicyV1().Evictions(namespace).Evict(ctx, eviction); !apierrors.IsTooManyRequests(err) {
		return fmt.Errorf("429 was expected, not %v", err)
	}
	return nil
}

func reviews() error {
	review := &authorizationv1.SelfSubjectAccessReview{Spec: authorizationv1.SelfSubjectAccessReviewSpec{
		ResourceAttributes: &authorizationv1.ResourceAttributes{Namespace: namespace, Verb: "create", Resource: "pods"},
	}}
	answer, err := client.AuthorizationV1().SelfSubjectAccessReviews().Create(ctx, review, metav1.CreateOptions{})
	if err != nil || !answer.Status.Allowed {
		return fmt.Errorf("%+v %v", answer, err)
	}
	token, err := client.CoreV1().ServiceAccounts(namespace).CreateToken(ctx, "default", &authenticationv1.TokenRequest{}, metav1.CreateOptions{})
	if err != nil {
		return err
	}
	other := rest.AnonymousClientConfig(config)
	other.BearerToken = token.Status.Token
	self, err := must(kubernetes.NewForConfig(other)).AuthenticationV1().SelfSubjectReviews().Create(ctx, &authenticationv1.SelfSubjectReview{}, metav1.CreateOptions{})
	if err != nil {
		return err
	}
	if name := self.Status.UserInfo.Username; name != "system:serviceaccount:"+namespace+":default" {
		return errors.New("the token is of " + name)
	}
	return nil
}

func custom() error {
	definition := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "apiextensions.k8s.io/v1",
		"kind":       "CustomResourceDefinition",
		"metadata":   map[string]any{"name": "widgets.example.com"},
		"spec": map[string]any{
			"group": "example.com",
			"scope": "Namespaced",
			"names": map[string]any{"plural": "widgets", "kind": "Widget"},
			"versions": []any{map[string]any{
				"name": "v1", "served": true, "storage": true,
				"schema": map[string]any{"openAPIV3Schema": map[string]any{
					"type": "object",
					"properties": map[string]any{"spec": map[string]any{
						"type":       "object",
						"properties": map[string]any{"size": map[string]any{"type": "integer", "default": int64(1)}},
					}},
				}},
			}},
		},
	}}
	if _, err := dynamics.Resource(definitions).Create(ctx, definition, metav1.CreateOptions{}); err != nil {
		return err
	}
	widget := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "example.com/v1", "kind": "Widget", "metadata": map[string]any{"name": "a"}, "spec": map[string]any{},
	}}
	if err := eventually(func() (bool, error) {
		_, err := dynamics.Resource(widgets).Namespace(namespace).Create(ctx, widget, metav1.CreateOptions{})
		if apierrors.IsNotFound(err) {
			return false, nil
		}
		return err == nil, err
	}); err != nil {
		return err
	}
	factory := dynamicinformer.NewDynamicSharedInformerFactory(dynamics, 0)
	informer := factory.ForResource(widgets)
	factory.Start(ctx.Done())
	if !cache.WaitForCacheSync(ctx.Done(), informer.Informer().HasSynced) {
		return errors.New("the informer did not sync")
	}
	found, err := informer.Lister().ByNamespace(namespace).Get("a")
	if err != nil {
		return err
	}
	if size, _, _ := unstructured.NestedInt64(found.(*unstructured.Unstructured).Object, "spec", "size"); size != 1 {
		return fmt.Errorf("size %d", size)
	}
	return nil
}

func readsMetadata() error {
	object, err := must(metadata.NewForConfig(config)).Resource(widgets).Namespace(namespace).Get(ctx, "a", metav1.GetOptions{})
	if err != nil {
		return err
	}
	if object.UID == "" || object.Generation != 1 {
		return fmt.Errorf("%+v", object)
	}
	return nil
}

func elects() error {
	leaders := make(chan string, 2)
	for _, identity := range []string{"first", "second"} {
		lock := must(resourcelock.New(resourcelock.LeasesResourceLock, namespace, "leader", client.CoreV1(), client.CoordinationV1(),
			resourcelock.ResourceLockConfig{Identity: identity}))
		term, resign := context.WithCancel(ctx)
		go leaderelection.RunOrDie(term, leaderelection.LeaderElectionConfig{
			Lock: lock, ReleaseOnCancel: true, LeaseDuration: 3 * time.Second, RenewDeadline: 2 * time.Second, RetryPeriod: 200 * time.Millisecond,
			Callbacks: leaderelection.LeaderCallbacks{
				OnStartedLeading: func(context.Context) { leaders <- identity; resign() },
				OnStoppedLeading: func() {},
			},
		})
	}
	first, second := <-leaders, <-leaders
	if first == second {
		return errors.New(first + " twice")
	}
	return nil
}

func records() error {
	broadcaster := record.NewBroadcaster()
	broadcaster.StartRecordingToSink(&typedcorev1.EventSinkImpl{Interface: client.CoreV1().Events(namespace)})
	defer broadcaster.Shutdown()
	recorder := broadcaster.NewRecorder(scheme.Scheme, corev1.EventSource{Component: "client-go"})
	web := must(client.AppsV1().Deployments(namespace).Get(ctx, "web", metav1.GetOptions{}))
	for range 3 {
		recorder.Event(web, corev1.EventTypeNormal, "Tested", "three times the same")
	}
	return eventually(func() (bool, error) {
		list, err := client.CoreV1().Events(namespace).List(ctx, metav1.ListOptions{FieldSelector: "reason=Tested"})
		return err == nil && len(list.Items) == 1 && list.Items[0].Count == 3, err
	})
}

func cleans() error {
	if err := client.CoreV1().Namespaces().Delete(ctx, namespace, metav1.DeleteOptions{}); err != nil {
		return err
	}
	return eventually(func() (bool, error) {
		_, err := client.CoreV1().Namespaces().Get(ctx, namespace, metav1.GetOptions{})
		return apierrors.IsNotFound(err), nil
	})
}
