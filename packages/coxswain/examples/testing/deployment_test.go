// A test of a deployment against `coxswain test-server`, with nothing but Go's own library.
//
// Start the server, name its kubeconfig in KUBECONFIG, and run `go test deployment_test.go`.
package testing_example

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"
)

const deployment = `
apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  replicas: 3
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec: { containers: [{ name: web, image: nginx }] }
`

type cluster struct {
	t      *testing.T
	server string
	token  string
	client *http.Client
}

// connect reads the kubeconfig, which is JSON (and so YAML, too).
func connect(t *testing.T) *cluster {
	t.Helper()
	text, err := os.ReadFile(os.Getenv("KUBECONFIG"))
	if err != nil {
		t.Fatal(err)
	}
	var config struct {
		Clusters []struct {
			Cluster struct {
				Server    string `json:"server"`
				Authority []byte `json:"certificate-authority-data"`
			} `json:"cluster"`
		} `json:"clusters"`
		Users []struct {
			User struct {
				Token string `json:"token"`
			} `json:"user"`
		} `json:"users"`
	}
	if err := json.Unmarshal(text, &config); err != nil {
		t.Fatal(err)
	}
	authorities := x509.NewCertPool()
	authorities.AppendCertsFromPEM(config.Clusters[0].Cluster.Authority)
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: authorities}}
	return &cluster{t, config.Clusters[0].Cluster.Server, config.Users[0].User.Token, &http.Client{Transport: transport}}
}

func (c *cluster) call(method, path, body string, into any) {
	c.t.Helper()
	request, err := http.NewRequest(method, c.server+path, strings.NewReader(body))
	if err != nil {
		c.t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+c.token)
	answer, err := c.client.Do(request)
	if err != nil {
		c.t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode >= 300 {
		c.t.Fatalf("%s %s: %d %s %v", method, path, answer.StatusCode, text, err)
	}
	if into != nil {
		if err := json.NewDecoder(bytes.NewReader(text)).Decode(into); err != nil {
			c.t.Fatal(err)
		}
	}
}

func (c *cluster) testing(method, path, body string) {
	c.t.Helper()
	c.call(method, "/coxswain/v1/"+path, body, nil)
}

func TestDeploymentBecomesAvailableWithoutASleep(t *testing.T) {
	c := connect(t)
	c.testing("POST", "reset", "")
	c.testing("POST", "apply", deployment)
	c.testing("POST", "idle", "")

	var web struct {
		Status struct {
			AvailableReplicas int `json:"availableReplicas"`
		} `json:"status"`
	}
	c.call("GET", "/apis/apps/v1/namespaces/default/deployments/web", "", &web)
	if web.Status.AvailableReplicas != 3 {
		t.Fatalf("%d replicas are available, not 3", web.Status.AvailableReplicas)
	}
}

func TestSnapshotsTakeBackWhatWasMade(t *testing.T) {
	c := connect(t)
	c.testing("POST", "reset", "")
	var snapshot struct {
		ID string `json:"id"`
	}
	c.call("POST", "/coxswain/v1/snapshots", "", &snapshot)
	c.testing("POST", "apply", deployment)
	c.testing("POST", "reset", fmt.Sprintf(`{"snapshot": %q}`, snapshot.ID))

	var all struct {
		Items []any `json:"items"`
	}
	c.call("GET", "/apis/apps/v1/deployments", "", &all)
	if len(all.Items) != 0 {
		t.Fatalf("%d deployments are left", len(all.Items))
	}
}
