// Argo CD's own application controller and repo server, at the release that go.mod pins, beside the API server of
// testdata/tools/apiserver.
//
// `sync --data DIR --kubeconfig FILE` starts them on free ports of the loopback interface and prints a line of JSON. Then
// it reads questions, each an Application to sync, and prints what the sync did to the cluster, a line of JSON each. No
// other controller runs in the cluster, so it also does what those would do that Argo CD waits for. It ends with its
// standard input.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"syscall"

	"github.com/argoproj/argo-cd/v3/pkg/apis/application/v1alpha1"
	"github.com/argoproj/gitops-engine/pkg/sync/common"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

// A question has at most this size.
const longest = 1 << 20

type question struct {
	ID int `json:"id"`
	// Application is created. If it exists, it is refreshed, as a webhook of Git does.
	Application *v1alpha1.Application `json:"application"`
	// Operation starts a sync, as `argocd app sync` does. Otherwise, the sync policy of the Application must start it.
	Operation bool `json:"operation"`
}

type answer struct {
	ID int `json:"id"`
	// Phase and Message are the result of the operation, Revision what it has synced.
	Phase    common.OperationPhase `json:"phase"`
	Message  string                `json:"message"`
	Revision string                `json:"revision"`
	// Status is that of the comparison afterwards.
	Status v1alpha1.SyncStatusCode `json:"status"`
	// Different has the objects that are not as Git says.
	Different []string `json:"different"`
	// Changes are in the order in which the store of the API server has them.
	Changes []change `json:"changes"`
	Error   string   `json:"error"`
}

func run(data, kubeconfig string) error {
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return err
	}
	config.QPS = -1
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	if err := serve(ctx, data, kubeconfig, config); err != nil {
		return err
	}
	return os.RemoveAll(data)
}

func serve(ctx context.Context, data, kubeconfig string, config *rest.Config) error {
	cluster, err := watch(ctx, config)
	if err != nil {
		return err
	}
	argoCD, err := startArgoCD(ctx, data, kubeconfig, config)
	if err != nil {
		return err
	}
	out := json.NewEncoder(os.Stdout)
	if err := out.Encode(map[string]string{"data": data}); err != nil {
		return err
	}
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, longest)
	for lines.Scan() {
		var asked question
		if err := json.Unmarshal(lines.Bytes(), &asked); err != nil {
			return err
		}
		said, err := argoCD.sync(ctx, asked, cluster)
		if err != nil {
			said.Error = err.Error()
		}
		said.ID = asked.ID
		if err := out.Encode(said); err != nil {
			return err
		}
	}
	return lines.Err()
}

// redirect sends the messages of all loggers to a file: some keep the standard error that the process starts with. It
// returns the original one.
func redirect(file string) (*os.File, error) {
	log, err := os.Create(file)
	if err != nil {
		return nil, err
	}
	original, err := syscall.Dup(syscall.Stderr)
	if err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(original), "stderr"), syscall.Dup3(int(log.Fd()), syscall.Stderr, 0)
}

func main() {
	data := flag.String("data", "", "directory for clones, sockets and the logs, removed at the end")
	kubeconfig := flag.String("kubeconfig", "", "how to reach the API server")
	flag.Parse()
	stderr, err := redirect(filepath.Join(*data, "messages"))
	if err == nil {
		err = run(*data, *kubeconfig)
	}
	if err != nil {
		fmt.Fprintf(stderr, "sync: %v; the logs are in %s\n", err, *data)
		os.Exit(1)
	}
}
