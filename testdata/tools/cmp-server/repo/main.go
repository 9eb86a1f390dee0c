// Argo CD's own repo server, at the release that go.mod pins, with a cache in the same process.
//
// `repo --data DIR` starts it on free ports of the loopback interface and prints a line of JSON with DIR. Then it reads questions,
// each a folder of a Git repository, and prints the manifests, or the error that Argo CD's UI would show, a line of
// JSON each. It ends with its standard input.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/argoproj/argo-cd/v3/cmd/argocd-repo-server/commands"
	"github.com/argoproj/argo-cd/v3/pkg/apis/application/v1alpha1"
	"github.com/argoproj/argo-cd/v3/reposerver/apiclient"
	"github.com/argoproj/argo-cd/v3/util/askpass"
	"github.com/sirupsen/logrus"
)

// How long the server may take to start, and to render.
const patience = time.Minute

type question struct {
	ID int `json:"id"`
	// Repository is a directory with a Git repository.
	Repository string `json:"repository"`
	// Path is the folder of the application.
	Path string `json:"path"`
	// BuildOptions is `kustomize.buildOptions` of Argo CD's ConfigMap.
	BuildOptions string `json:"buildOptions"`
}

type answer struct {
	ID        int      `json:"id"`
	Manifests []string `json:"manifests"`
	Error     string   `json:"error"`
}

func start(data string) (apiclient.RepoServerServiceClient, error) {
	cache := miniredis.NewMiniRedis()
	if err := cache.Start(); err != nil {
		return nil, err
	}
	log, err := os.Create(filepath.Join(data, "log"))
	if err != nil {
		return nil, err
	}
	// All that it writes is in its directory.
	os.Stderr = log
	logrus.SetOutput(log)
	askpass.SocketPath = filepath.Join(data, "askpass.sock")
	for name, value := range map[string]string{"TMPDIR": data, "ARGOCD_GPG_ENABLED": "false"} {
		if err := os.Setenv(name, value); err != nil {
			return nil, err
		}
	}
	port, metrics, err := freePorts()
	if err != nil {
		return nil, err
	}
	command := commands.NewCommand()
	command.SetArgs([]string{
		"--address", "127.0.0.1", "--port", port, "--metrics-address", "127.0.0.1", "--metrics-port", metrics,
		"--disable-tls", "--redis", cache.Addr(),
	})
	failed := make(chan error, 1)
	go func() { failed <- command.Execute() }()
	address := net.JoinHostPort("127.0.0.1", port)
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		select {
		case err := <-failed:
			return nil, fmt.Errorf("the repo server ended: %w", err)
		default:
		}
		if connection, err := net.Dial("tcp", address); err == nil {
			connection.Close()
			tls := apiclient.TLSConfiguration{DisableTLS: true}
			_, client, err := apiclient.NewRepoServerClientset(address, int(patience.Seconds()), tls).NewRepoServerClient()
			return client, err
		}
	}
	return nil, fmt.Errorf("the repo server does not start")
}

// freePorts holds both ports before it releases them, so that they differ.
func freePorts() (string, string, error) {
	var ports [2]string
	for i := range ports {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return "", "", err
		}
		defer listener.Close()
		_, ports[i], err = net.SplitHostPort(listener.Addr().String())
		if err != nil {
			return "", "", err
		}
	}
	return ports[0], ports[1], nil
}

// render asks as the application controller does.
func render(client apiclient.RepoServerServiceClient, asked question) answer {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	url := "file://" + asked.Repository
	rendered, err := client.GenerateManifest(ctx, &apiclient.ManifestRequest{
		Repo:               &v1alpha1.Repository{Repo: url},
		Revision:           "HEAD",
		NoCache:            true,
		AppName:            "application",
		ApplicationSource:  &v1alpha1.ApplicationSource{RepoURL: url, Path: asked.Path, TargetRevision: "HEAD"},
		KustomizeOptions:   &v1alpha1.KustomizeOptions{BuildOptions: asked.BuildOptions},
		ProjectName:        "default",
		ProjectSourceRepos: []string{"*"},
	})
	if err != nil {
		return answer{ID: asked.ID, Error: err.Error()}
	}
	return answer{ID: asked.ID, Manifests: rendered.Manifests}
}

func run() error {
	data := flag.String("data", "", "directory for clones, sockets and the log, removed at the end")
	flag.Parse()
	client, err := start(*data)
	if err != nil {
		return err
	}
	out := json.NewEncoder(os.Stdout)
	if err := out.Encode(map[string]string{"data": *data}); err != nil {
		return err
	}
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		var asked question
		if err := json.Unmarshal(lines.Bytes(), &asked); err != nil {
			return err
		}
		if err := out.Encode(render(client, asked)); err != nil {
			return err
		}
	}
	return os.RemoveAll(*data)
}

func main() {
	stderr := os.Stderr
	if err := run(); err != nil {
		fmt.Fprintln(stderr, "repo:", err)
		os.Exit(1)
	}
}
