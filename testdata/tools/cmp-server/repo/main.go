// Argo CD's own repo server, at the release that go.mod pins, with a cache in the same process.
//
// `repo --data DIR` starts it on free ports of the loopback interface and prints a line of JSON with DIR. Then it reads questions,
// each a folder of a Git repository, and prints the manifests, or the error that Argo CD's UI would show, a line of
// JSON each, in any order. It ends with its standard input.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"sync"

	"github.com/argoproj/argo-cd/v3/pkg/apis/application/v1alpha1"
	"github.com/argoproj/argo-cd/v3/reposerver/apiclient"
	"rhoso-fn/testdata/tools/cmp-server/reposerver"
)

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

// render asks as the application controller does.
func render(client apiclient.RepoServerServiceClient, asked question) answer {
	ctx, cancel := context.WithTimeout(context.Background(), reposerver.Patience)
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
	server, err := reposerver.Start(*data)
	if err != nil {
		return err
	}
	client, err := server.Client()
	if err != nil {
		return err
	}
	out := json.NewEncoder(os.Stdout)
	if err := out.Encode(map[string]string{"data": *data}); err != nil {
		return err
	}
	var writing sync.Mutex
	var working sync.WaitGroup
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		var asked question
		if err := json.Unmarshal(lines.Bytes(), &asked); err != nil {
			return err
		}
		working.Go(func() {
			rendered := render(client, asked)
			writing.Lock()
			defer writing.Unlock()
			_ = out.Encode(rendered)
		})
	}
	working.Wait()
	return os.RemoveAll(*data)
}

func main() {
	stderr := os.Stderr
	if err := run(); err != nil {
		fmt.Fprintln(stderr, "repo:", err)
		os.Exit(1)
	}
}
