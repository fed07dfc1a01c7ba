// Uses the Go client that openapi-generator made: go run . SERVER TOKEN.
package main

import (
	"context"
	"crypto/tls"
	"fmt"
	"net/http"
	"os"
	"strings"

	client "example.com/user/generated_client"
)

func main() {
	server, token := os.Args[1], os.Args[2]
	configuration := client.NewConfiguration()
	configuration.Scheme = "https"
	configuration.Host = strings.TrimPrefix(server, "https://")
	configuration.Servers = client.ServerConfigurations{{URL: server}}
	configuration.AddDefaultHeader("Authorization", "Bearer "+token)
	insecure := &tls.Config{InsecureSkipVerify: true}
	configuration.HTTPClient = &http.Client{Transport: &http.Transport{TLSClientConfig: insecure}}
	core := client.NewAPIClient(configuration).CoreV1API
	ctx := context.Background()

	namespaces, _, err := core.ListCoreV1Namespace(ctx).Execute()
	check(err, len(namespaces.Items) > 0)
	meta := client.NewIoK8sApimachineryPkgApisMetaV1ObjectMeta()
	meta.SetName("generated-go")
	object := client.NewIoK8sApiCoreV1ConfigMap()
	object.SetMetadata(*meta)
	object.SetData(map[string]string{"a": "b"})
	made, _, err := core.CreateCoreV1NamespacedConfigMap(ctx, "default").Body(*object).Execute()
	check(err, made.GetData()["a"] == "b")
	read, _, err := core.ReadCoreV1NamespacedConfigMap(ctx, "generated-go", "default").Execute()
	check(err, read.Metadata.GetUid() == made.Metadata.GetUid())
	_, _, err = core.DeleteCoreV1NamespacedConfigMap(ctx, "generated-go", "default").Execute()
	check(err, true)
	fmt.Println("the Go client lists, creates, reads and deletes")
}

func check(err error, holds bool) {
	if err != nil || !holds {
		fmt.Fprintln(os.Stderr, "failed:", err)
		os.Exit(1)
	}
}
