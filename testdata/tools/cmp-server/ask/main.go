// Asks a plugin server for the manifests of an application, as Argo CD's repo server does:
// `ask SOCKET REPOSITORY APPLICATION` prints them, or the error that Argo CD's UI would show. With two more arguments, it
// asks that many times, so many at once, and prints nothing.
package main

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"time"

	"github.com/argoproj/argo-cd/v3/cmpserver/apiclient"
	"github.com/argoproj/argo-cd/v3/util/cmp"
	"golang.org/x/sync/errgroup"
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

// repeat returns the first error.
func repeat(times, atOnce int, ask func() error) error {
	var group errgroup.Group
	group.SetLimit(atOnce)
	for range times {
		group.Go(ask)
	}
	return group.Wait()
}

func main() {
	if len(os.Args) == 6 {
		times, _ := strconv.Atoi(os.Args[4])
		atOnce, _ := strconv.Atoi(os.Args[5])
		err := repeat(times, atOnce, func() error {
			_, err := ask(os.Args[1], os.Args[2], os.Args[3])
			return err
		})
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	manifests, err := ask(os.Args[1], os.Args[2], os.Args[3])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	for _, manifest := range manifests {
		fmt.Println(manifest)
	}
}
