// Argo CD's own code for Applications, at the release that go.mod pins.
//
// It prints a line of JSON. Then it reads questions, a line of JSON each, and prints an answer to each. It ends with its
// standard input.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"

	"github.com/argoproj/argo-cd/v3/applicationset/controllers/template"
	"github.com/argoproj/argo-cd/v3/applicationset/generators"
	"github.com/argoproj/argo-cd/v3/applicationset/utils"
	"github.com/argoproj/argo-cd/v3/pkg/apis/application/v1alpha1"
	"github.com/argoproj/argo-cd/v3/util/argo/normalizers"
	"github.com/argoproj/argo-cd/v3/util/lua"
	"github.com/sirupsen/logrus"
	core "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// A question has at most this size.
const longest = 10 << 20

type question struct {
	ID int `json:"id"`
	// Set asks for the Applications of an ApplicationSet, with Clusters, which are Secrets.
	Set      *v1alpha1.ApplicationSet `json:"set"`
	Clusters []core.Secret            `json:"clusters"`
	// Application and Project ask what the project forbids.
	Application *v1alpha1.Application `json:"application"`
	Project     *v1alpha1.AppProject  `json:"project"`
	// Application and Object ask for the object without the differences that the Application ignores.
	Object map[string]any `json:"object"`
	// Check and Object ask for the health of the object, by a script.
	Check string `json:"check"`
}

type answer struct {
	ID           int                    `json:"id"`
	Applications []v1alpha1.Application `json:"applications"`
	Forbidden    []string               `json:"forbidden"`
	Object       map[string]any         `json:"object"`
	Health       string                 `json:"health"`
	Error        string                 `json:"error"`
}

// render returns the Applications as the ApplicationSet controller creates them.
func render(set *v1alpha1.ApplicationSet, clusters []core.Secret) ([]v1alpha1.Application, error) {
	fromClusters, err := clusterGenerator(clusters, set.Namespace)
	if err != nil {
		return nil, err
	}
	known := map[string]generators.Generator{"List": generators.NewListGenerator(), "Clusters": fromClusters}
	known["Matrix"] = generators.NewMatrixGenerator(maps.Clone(known))
	log := logrus.NewEntry(logrus.StandardLogger())
	applications, _, err := template.GenerateApplications(log, *set, known, &utils.Render{}, nil)
	return applications, err
}

// forbidden returns what the application controller would reject.
func forbidden(project *v1alpha1.AppProject, application *v1alpha1.Application) ([]string, error) {
	var found []string
	if source := application.Spec.GetSource(); !project.IsSourcePermitted(source) {
		found = append(found, source.RepoURL)
	}
	destination := application.Spec.Destination
	noClusters := func(string) ([]*v1alpha1.Cluster, error) { return nil, nil }
	cluster := &v1alpha1.Cluster{Server: destination.Server}
	permitted, err := project.IsDestinationPermitted(cluster, destination.Namespace, noClusters)
	if err != nil {
		return nil, err
	}
	if !permitted {
		found = append(found, destination.Namespace)
	}
	policy := application.Spec.SyncPolicy
	creates := policy != nil && policy.SyncOptions.HasOption("CreateNamespace=true")
	if creates && !project.IsGroupKindPermitted(schema.GroupKind{Kind: "Namespace"}, false) {
		found = append(found, "Namespace")
	}
	return found, nil
}

// normalize returns an object as Argo CD compares it.
func normalize(application *v1alpha1.Application, object map[string]any) (map[string]any, error) {
	normalizer, err := normalizers.NewIgnoreNormalizer(
		application.Spec.IgnoreDifferences, nil, normalizers.IgnoreNormalizerOpts{})
	if err != nil {
		return nil, err
	}
	normalized := &unstructured.Unstructured{Object: object}
	return normalized.Object, normalizer.Normalize(normalized)
}

// health returns what a health check says about an object.
func health(check string, object map[string]any) (string, error) {
	status, err := lua.VM{}.ExecuteHealthLua(&unstructured.Unstructured{Object: object}, check)
	if err != nil {
		return "", err
	}
	return string(status.Status), nil
}

func reply(asked question) answer {
	said := answer{ID: asked.ID}
	var err error
	switch {
	case asked.Set != nil:
		said.Applications, err = render(asked.Set, asked.Clusters)
	case asked.Project != nil:
		said.Forbidden, err = forbidden(asked.Project, asked.Application)
	case asked.Check != "":
		said.Health, err = health(asked.Check, asked.Object)
	default:
		said.Object, err = normalize(asked.Application, asked.Object)
	}
	if err != nil {
		said.Error = err.Error()
	}
	return said
}

func run() error {
	logrus.SetOutput(io.Discard)
	out := json.NewEncoder(os.Stdout)
	if err := out.Encode(map[string]bool{"ready": true}); err != nil {
		return err
	}
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, longest)
	for lines.Scan() {
		var asked question
		if err := json.Unmarshal(lines.Bytes(), &asked); err != nil {
			return err
		}
		if err := out.Encode(reply(asked)); err != nil {
			return err
		}
	}
	return lines.Err()
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
