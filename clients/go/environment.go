// Package coxswaintest runs a Kubernetes cluster for tests: API server, controllers, scheduler and simulated nodes in one
// process, with a clock that moves when a test says so, and faults on demand. Environment has the form of envtest's.
package coxswaintest

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

// Environment is a cluster of its own. Its zero value is ready to Start.
type Environment struct {
	// Command runs coxswain. By default: $COXSWAIN_COMMAND, or coxswain on the PATH, or the one that npx finds.
	Command []string
	// Flags of `coxswain test-server`, such as "--nodes=3", "--seed=42" or "--clock=system".
	Flags []string
	// CRDDirectoryPaths are directories, or files, whose YAML and JSON is applied at the start.
	CRDDirectoryPaths []string

	// Config connects clients, from Start on.
	Config *rest.Config
	// KubeConfig is the path of the same as a file.
	KubeConfig string
	// Cluster controls clock, faults and nodes.
	*Cluster

	folder  string
	process *exec.Cmd
	input   io.Closer
}

// Start runs until Stop, or until this process ends.
func (e *Environment) Start() (*rest.Config, error) {
	if err := e.start(); err != nil {
		return nil, errors.Join(err, e.Stop())
	}
	return e.Config, nil
}

func (e *Environment) start() (err error) {
	if e.folder, err = os.MkdirTemp("", "coxswain-"); err != nil {
		return err
	}
	e.KubeConfig = filepath.Join(e.folder, "kubeconfig")
	if err = e.run(); err != nil {
		return err
	}
	if e.Config, err = clientcmd.BuildConfigFromFlags("", e.KubeConfig); err != nil {
		return err
	}
	// Tests are no reason to be polite to a server of their own.
	e.Config.QPS, e.Config.Burst = 1000, 2000
	if e.Cluster, err = newCluster(e.Config); err != nil {
		return err
	}
	for _, path := range e.CRDDirectoryPaths {
		if err = e.applyAll(path); err != nil {
			return err
		}
	}
	return nil
}

func (e *Environment) run() error {
	command := e.Command
	if len(command) == 0 {
		command = defaultCommand()
	}
	args := append(command[1:len(command):len(command)], "test-server", "--kubeconfig="+e.KubeConfig, "--stop-with-input")
	process := exec.Command(command[0], append(args, e.Flags...)...)
	input, err := process.StdinPipe()
	if err != nil {
		return err
	}
	stderr, err := process.StderrPipe()
	if err != nil {
		return err
	}
	if err := process.Start(); err != nil {
		return err
	}
	e.process, e.input = process, input
	lines := bufio.NewReader(stderr)
	var said strings.Builder
	for {
		line, err := lines.ReadString('\n')
		if strings.HasPrefix(line, "Ready.") {
			// Nobody reads its log from here on, and a full pipe would hold it up.
			go io.Copy(io.Discard, lines)
			return nil
		}
		said.WriteString(line)
		if err != nil {
			return fmt.Errorf("coxswain test-server did not start: %s", said.String())
		}
	}
}

func defaultCommand() []string {
	if given := strings.Fields(os.Getenv("COXSWAIN_COMMAND")); len(given) > 0 {
		return given
	}
	if _, err := exec.LookPath("coxswain"); err == nil {
		return []string{"coxswain"}
	}
	return []string{"npx", "--yes", "coxswain"}
}

func (e *Environment) applyAll(path string) error {
	return filepath.WalkDir(path, func(file string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		switch filepath.Ext(file) {
		case ".yaml", ".yml", ".json":
		default:
			return nil
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		if err := e.Apply(string(text)); err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		return nil
	})
}

// Stop ends the cluster. It may be called when Start has failed, and more than once.
func (e *Environment) Stop() error {
	var err error
	if e.process != nil {
		_ = e.input.Close()
		err = e.process.Wait()
		e.process = nil
	}
	return errors.Join(err, os.RemoveAll(e.folder))
}
