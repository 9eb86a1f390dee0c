package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/argoproj/argo-cd/v3/cmd/argocd-application-controller/commands"
	"github.com/argoproj/argo-cd/v3/pkg/apis/application/v1alpha1"
	client "github.com/argoproj/argo-cd/v3/pkg/client/clientset/versioned/typed/application/v1alpha1"
	"github.com/argoproj/argo-cd/v3/util/argo"
	"github.com/argoproj/gitops-engine/pkg/sync/common"
	core "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/errors"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"rhoso-fn/testdata/tools/cmp-server/reposerver"
)

// The namespace of OpenShift GitOps, in which the Applications are.
const namespace = "openshift-gitops"

// How long a sync may take. It takes seconds on a quiet machine.
const patience = 2 * time.Minute

// argoCD is a running application controller.
type argoCD struct {
	applications client.ApplicationInterface
	// failed has the error with which it ended.
	failed <-chan error
}

// startArgoCD starts the repo server and the controller.
func startArgoCD(ctx context.Context, data, kubeconfig string, config *rest.Config) (*argoCD, error) {
	applications, err := client.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	if err := install(ctx, config, applications); err != nil {
		return nil, err
	}
	server, err := reposerver.Start(data)
	if err != nil {
		return nil, err
	}
	for name, value := range map[string]string{
		// The cluster with Argo CD in it is the one of the kubeconfig.
		"ARGOCD_FAKE_IN_CLUSTER": "true",
		"KUBECONFIG":             kubeconfig,
		// Argo CD waits 2 s after each wave, for controllers that do not run here.
		"ARGOCD_SYNC_WAVE_DELAY": "0",
	} {
		if err := os.Setenv(name, value); err != nil {
			return nil, err
		}
	}
	ports, err := reposerver.FreePorts(1)
	if err != nil {
		return nil, err
	}
	command := commands.NewCommand()
	command.SetArgs([]string{
		"--kubeconfig", kubeconfig, "--namespace", namespace, "--metrics-port", ports[0],
		"--repo-server", server.Address, "--repo-server-plaintext", "--redis", server.Cache,
	})
	failed := make(chan error, 1)
	go func() { failed <- command.ExecuteContext(ctx) }()
	return &argoCD{applications: applications.Applications(namespace), failed: failed}, nil
}

// install creates what the manifests of Argo CD contain, as far as the controller reads it. The options of kustomize are
// those of examples/argocd/native.
func install(ctx context.Context, config *rest.Config, applications client.ArgoprojV1alpha1Interface) error {
	builtIn, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	labels := map[string]string{"app.kubernetes.io/part-of": "argocd"}
	settings := &core.ConfigMap{ObjectMeta: meta.ObjectMeta{Name: "argocd-cm", Labels: labels}, Data: map[string]string{
		"kustomize.buildOptions": "--enable-alpha-plugins --enable-exec",
	}}
	if _, err := builtIn.CoreV1().ConfigMaps(namespace).Create(ctx, settings, meta.CreateOptions{}); err != nil {
		return err
	}
	secret := &core.Secret{ObjectMeta: meta.ObjectMeta{Name: "argocd-secret", Labels: labels}}
	if _, err := builtIn.CoreV1().Secrets(namespace).Create(ctx, secret, meta.CreateOptions{}); err != nil {
		return err
	}
	project := &v1alpha1.AppProject{ObjectMeta: meta.ObjectMeta{Name: "default"}, Spec: v1alpha1.AppProjectSpec{
		SourceRepos:              []string{"*"},
		Destinations:             []v1alpha1.ApplicationDestination{{Server: "*", Namespace: "*"}},
		ClusterResourceWhitelist: []meta.GroupKind{{Group: "*", Kind: "*"}},
	}}
	_, err = applications.AppProjects(namespace).Create(ctx, project, meta.CreateOptions{})
	return err
}

// begin creates the Application, refreshes it, or starts an operation.
func (a *argoCD) begin(ctx context.Context, asked question) error {
	application := asked.Application
	_, err := a.applications.Create(ctx, application, meta.CreateOptions{})
	if !errors.IsAlreadyExists(err) {
		return err
	}
	if !asked.Operation {
		_, err := argo.RefreshApp(a.applications, application.Name, v1alpha1.RefreshTypeNormal, false)
		return err
	}
	operation := &v1alpha1.Operation{
		InitiatedBy: v1alpha1.OperationInitiator{Username: "admin"},
		Sync:        &v1alpha1.SyncOperation{SyncOptions: application.Spec.SyncPolicy.SyncOptions},
	}
	_, err = argo.SetAppOperation(a.applications, application.Name, operation)
	return err
}

// sync returns when the operation has ended and Argo CD has compared again.
func (a *argoCD) sync(ctx context.Context, asked question, cluster *cluster) (answer, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	if err := cluster.settle(ctx); err != nil {
		return answer{}, err
	}
	before := cluster.position()
	watcher, err := a.applications.Watch(ctx, meta.ListOptions{})
	if err != nil {
		return answer{}, err
	}
	defer watcher.Stop()
	if err := a.begin(ctx, asked); err != nil {
		return answer{}, err
	}
	said, started := answer{}, false
	for {
		select {
		case event := <-watcher.ResultChan():
			current, isApplication := event.Object.(*v1alpha1.Application)
			if !isApplication {
				return said, fmt.Errorf("the watch ended: %v", event.Object)
			}
			said = read(current)
			started = started || said.Phase == common.OperationRunning
			if started && (said.Phase.Failed() || said.Phase.Successful() && said.Status == v1alpha1.SyncStatusCodeSynced) {
				err := cluster.settle(ctx)
				said.Changes = cluster.since(before)
				return said, err
			}
		case err := <-a.failed:
			return said, fmt.Errorf("the application controller ended: %w", err)
		case <-ctx.Done():
			said.Changes = cluster.since(before)
			return said, fmt.Errorf("not synced after %v", patience)
		}
	}
}

// read returns what the status of an Application says.
func read(application *v1alpha1.Application) answer {
	said := answer{Status: application.Status.Sync.Status}
	for _, resource := range application.Status.Resources {
		if resource.Status == v1alpha1.SyncStatusCodeOutOfSync {
			said.Different = append(said.Different, resource.Kind+" "+resource.Name)
		}
	}
	if state := application.Status.OperationState; state != nil {
		said.Phase, said.Message = state.Phase, state.Message
		if state.SyncResult != nil {
			said.Revision = state.SyncResult.Revision
		}
	}
	return said
}
