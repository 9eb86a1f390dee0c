// The webhooks of the OpenStack operators, beside the API server of testdata/tools/apiserver.
//
// `webhooks KUBECONFIG` serves them on a free port of the loopback interface, registers them with the API server,
// and prints a line of JSON. The code is the operators' own, at the releases that go.mod pins; their controllers do not
// run. It ends with its standard input.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/go-logr/logr"
	network "github.com/openstack-k8s-operators/infra-operator/apis/network/v1beta1"
	core "github.com/openstack-k8s-operators/openstack-operator/apis/core/v1beta1"
	dataplane "github.com/openstack-k8s-operators/openstack-operator/apis/dataplane/v1beta1"
	registration "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/webhook"
)

// How long the server may take to start.
const patience = time.Minute

// kinds are those with webhooks, by the plural that the API server knows.
var kinds = map[string]interface {
	client.Object
	SetupWebhookWithManager(ctrl.Manager) error
}{
	"openstackcontrolplanes":        &core.OpenStackControlPlane{},
	"openstackdataplanenodesets":    &dataplane.OpenStackDataPlaneNodeSet{},
	"openstackdataplanedeployments": &dataplane.OpenStackDataPlaneDeployment{},
	"openstackdataplaneservices":    &dataplane.OpenStackDataPlaneService{},
	"netconfigs":                    &network.NetConfig{},
	// It gives NetConfig its client.
	"ipsets": &network.IPSet{},
}

func run() error {
	kubeconfig := os.Args[1]
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return err
	}
	// The log would hide what the tests print.
	ctrl.SetLogger(logr.Discard())
	setupDefaults()
	scheme := runtime.NewScheme()
	adders := []func(*runtime.Scheme) error{
		core.AddToScheme, dataplane.AddToScheme, network.AddToScheme, registration.AddToScheme,
	}
	for _, add := range adders {
		if err := add(scheme); err != nil {
			return err
		}
	}
	certificate, err := newCertificate(filepath.Join(filepath.Dir(kubeconfig), "webhooks"))
	if err != nil {
		return err
	}
	manager, hooks, err := newManager(config, scheme, certificate)
	if err != nil {
		return err
	}
	failed := make(chan error, 1)
	go func() { failed <- manager.Start(context.Background()) }()
	if err := wait(hooks, failed); err != nil {
		return err
	}
	if err := register(manager.GetClient(), scheme, certificate); err != nil {
		return err
	}
	fmt.Println("{}")
	_, err = io.Copy(io.Discard, os.Stdin)
	return err
}

func newManager(config *rest.Config, scheme *runtime.Scheme, certificate *certificate) (ctrl.Manager, webhook.Server, error) {
	hooks := webhook.NewServer(webhook.Options{
		Host: "127.0.0.1", Port: certificate.port, CertDir: certificate.directory,
	})
	manager, err := ctrl.NewManager(config, ctrl.Options{
		Scheme:        scheme,
		Metrics:       server.Options{BindAddress: "0"},
		WebhookServer: hooks,
		// Webhooks ask for the objects that exist now, not for those of a cache.
		NewClient: client.New,
	})
	if err != nil {
		return nil, nil, err
	}
	for _, kind := range kinds {
		if err := kind.SetupWebhookWithManager(manager); err != nil {
			return nil, nil, err
		}
	}
	return manager, hooks, nil
}

func wait(hooks webhook.Server, failed <-chan error) error {
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		select {
		case err := <-failed:
			return err
		default:
		}
		if hooks.StartedChecker()(nil) == nil {
			return nil
		}
	}
	return errors.New("the webhooks do not start")
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "webhooks:", err)
		os.Exit(1)
	}
}
