package coxswaintest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"k8s.io/client-go/rest"
)

// Cluster controls what is behind the API: see openapi.yaml for the calls.
type Cluster struct {
	server string
	client *http.Client
}

func newCluster(config *rest.Config) (*Cluster, error) {
	own := rest.CopyConfig(config)
	// The server is on this machine, whatever proxy there may be.
	own.Proxy = func(*http.Request) (*url.URL, error) { return nil, nil }
	client, err := rest.HTTPClientFor(own)
	if err != nil {
		return nil, err
	}
	return &Cluster{server: strings.TrimSuffix(config.Host, "/") + "/coxswain/v1/", client: client}, nil
}

// Call asks the server for what is below /coxswain/v1/. Text is sent as it is, everything else as JSON; both may be nil.
func (c *Cluster) Call(method, path string, body, into any) error {
	text, isText := body.(string)
	content := []byte(text)
	if body != nil && !isText {
		var err error
		if content, err = json.Marshal(body); err != nil {
			return err
		}
	}
	request, err := http.NewRequest(method, c.server+path, bytes.NewReader(content))
	if err != nil {
		return err
	}
	answer, err := c.client.Do(request)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	said, err := io.ReadAll(answer.Body)
	if err != nil {
		return err
	}
	if answer.StatusCode >= 300 {
		var status struct{ Message string }
		_ = json.Unmarshal(said, &status)
		return fmt.Errorf("%s %s: %d %s", method, path, answer.StatusCode, status.Message)
	}
	if into == nil {
		return nil
	}
	return json.Unmarshal(said, into)
}

// Apply applies manifests, as YAML or JSON.
func (c *Cluster) Apply(manifests string) error { return c.Call("POST", "apply", manifests, nil) }

// Idle waits until controllers, scheduler and nodes have nothing left to do.
func (c *Cluster) Idle() error { return c.Call("POST", "idle", nil, nil) }

// Now is the time of the cluster.
func (c *Cluster) Now() (time.Time, error) {
	var clock struct{ Now time.Time }
	err := c.Call("GET", "clock", nil, &clock)
	return clock.Now, err
}

// Advance moves the clock, and fires every timer up to then.
func (c *Cluster) Advance(by time.Duration) error {
	return c.Call("POST", "clock/advance", map[string]string{"by": fmt.Sprintf("%dms", by.Milliseconds())}, nil)
}

// Snapshot is for Reset; it costs nothing.
func (c *Cluster) Snapshot() (id string, err error) {
	var made struct{ ID string }
	err = c.Call("POST", "snapshots", nil, &made)
	return made.ID, err
}

// Reset restores a snapshot, or with "" the initial state.
func (c *Cluster) Reset(snapshot string) error {
	if snapshot == "" {
		return c.Call("POST", "reset", nil, nil)
	}
	return c.Call("POST", "reset", map[string]string{"snapshot": snapshot}, nil)
}

// Fault is a rule by which requests go wrong. Action is error, conflict, lostAnswer, latency, dropWatch or staleRead.
type Fault struct {
	Action      string  `json:"action"`
	Verb        string  `json:"verb,omitempty"`
	Resource    string  `json:"resource,omitempty"`
	Namespace   string  `json:"namespace,omitempty"`
	Name        string  `json:"name,omitempty"`
	User        string  `json:"user,omitempty"`
	Probability float64 `json:"probability,omitempty"`
	Times       int     `json:"times,omitempty"`
	Code        int     `json:"code,omitempty"`
	Message     string  `json:"message,omitempty"`
	Delay       string  `json:"delay,omitempty"`
	Lag         int     `json:"lag,omitempty"`
	AfterEvents int     `json:"afterEvents,omitempty"`
}

// AddFault adds a rule; remove takes it away and answers with how often it was applied.
func (c *Cluster) AddFault(fault Fault) (remove func() (int, error), err error) {
	var made struct{ ID string }
	if err := c.Call("POST", "faults", fault, &made); err != nil {
		return nil, err
	}
	return func() (int, error) {
		var removed struct{ Count int }
		err := c.Call("DELETE", "faults/"+made.ID, nil, &removed)
		return removed.Count, err
	}, nil
}

// FailNode lets a simulated node be lost, as in a power failure.
func (c *Cluster) FailNode(name string) error {
	return c.Call("POST", "nodes/"+url.PathEscape(name)+"/fail", nil, nil)
}

// RecoverNode ends FailNode.
func (c *Cluster) RecoverNode(name string) error {
	return c.Call("POST", "nodes/"+url.PathEscape(name)+"/recover", nil, nil)
}
