// Asks a plugin server for the manifests of an application, as Argo CD's repo server does:
// `ask SOCKET REPOSITORY APPLICATION` prints them, or the error that Argo CD's UI would show.
package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/argoproj/argo-cd/v3/cmpserver/apiclient"
	"github.com/argoproj/argo-cd/v3/util/cmp"
)

func ask(socket, repository, application string) ([]string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	closer, client, err := apiclient.NewConfigManagementPluginClientSet(socket).NewConfigManagementPluginClient()
	if err != nil {
		return nil, err
	}
	defer closer.Close()
	stream, err := client.GenerateManifest(ctx)
	if err != nil {
		return nil, err
	}
	if err := cmp.SendRepoStream(ctx, application, repository, stream, nil, nil); err != nil {
		return nil, err
	}
	answer, err := stream.CloseAndRecv()
	if err != nil {
		return nil, err
	}
	return answer.Manifests, nil
}

func main() {
	manifests, err := ask(os.Args[1], os.Args[2], os.Args[3])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	for _, manifest := range manifests {
		fmt.Println(manifest)
	}
}
