package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"sync"
	"time"

	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"
)

const crdPath = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"

// kind is what the server knows about a kind: where its objects are, and their schema if a CRD defines it.
type kind struct {
	plural     string
	namespaced bool
	schema     *apiextensions.JSONSchemaProps
	// install creates the CRD, once.
	install func() error
}

// kinds are found by apiVersion and kind.
type kinds map[[2]string]kind

// builtIn returns the kinds that Kubernetes itself has.
func (s *server) builtIn() (kinds, error) {
	var groups meta.APIGroupList
	if err := s.get("/apis", &groups); err != nil {
		return nil, err
	}
	paths := map[string]string{"v1": "/api/v1"}
	for _, group := range groups.Groups {
		for _, version := range group.Versions {
			paths[version.GroupVersion] = "/apis/" + version.GroupVersion
		}
	}
	found := kinds{}
	for groupVersion, path := range paths {
		var list meta.APIResourceList
		if err := s.get(path, &list); err != nil {
			return nil, err
		}
		for _, resource := range list.APIResources {
			if !strings.Contains(resource.Name, "/") {
				found[[2]string{groupVersion, resource.Kind}] = kind{
					plural: resource.Name, namespaced: resource.Namespaced, install: func() error { return nil },
				}
			}
		}
	}
	return found, nil
}

func (s *server) get(path string, into any) error {
	status, answer, err := s.send(http.MethodGet, path, "", nil)
	if err != nil {
		return err
	}
	if status != http.StatusOK {
		return fmt.Errorf("%s: %s", path, answer.body)
	}
	return json.Unmarshal(answer.body, into)
}

// read adds the kinds of all CRDs. A CRD is installed when a manifest asks for it: the large ones take a second.
func (s *server) read(directories []string, known kinds) error {
	definitions, err := readDefinitions(directories)
	if err != nil {
		return err
	}
	for _, definition := range definitions {
		install := sync.OnceValue(func() error { return s.install(definition) })
		for _, version := range definition.Spec.Versions {
			known[[2]string{definition.Spec.Group + "/" + version.Name, definition.Spec.Names.Kind}] = kind{
				plural:     definition.Spec.Names.Plural,
				namespaced: definition.Spec.Scope == apiextensions.NamespaceScoped,
				schema:     version.Schema.OpenAPIV3Schema,
				install:    install,
			}
		}
	}
	return nil
}

// readDefinitions returns CRDs by name.
func readDefinitions(directories []string) (map[string]*apiextensions.CustomResourceDefinition, error) {
	byName := map[string]*apiextensions.CustomResourceDefinition{}
	for _, directory := range directories {
		files, err := filepath.Glob(filepath.Join(directory, "*.yaml"))
		if err != nil {
			return nil, err
		}
		sort.Strings(files)
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				return nil, err
			}
			definition := &apiextensions.CustomResourceDefinition{}
			if err := yaml.Unmarshal(text, definition); err != nil {
				return nil, fmt.Errorf("%s: %w", file, err)
			}
			if definition.Kind == "CustomResourceDefinition" {
				byName[definition.Name] = prepared(definition)
			}
		}
	}
	if len(byName) == 0 {
		return nil, fmt.Errorf("no CRD in %v", directories)
	}
	return byName, nil
}

// prepared makes a definition independent of its operator. A version that this release of the operator no longer
// serves is served: users of an older release ask for it.
func prepared(definition *apiextensions.CustomResourceDefinition) *apiextensions.CustomResourceDefinition {
	definition.Spec.Conversion = nil
	definition.Status = apiextensions.CustomResourceDefinitionStatus{}
	for i := range definition.Spec.Versions {
		version := &definition.Spec.Versions[i]
		if !version.Served {
			version.Served = true
			version.Deprecated = false
		}
	}
	return definition
}

// install returns when the server serves the kind.
func (s *server) install(definition *apiextensions.CustomResourceDefinition) error {
	text, err := json.Marshal(definition)
	if err != nil {
		return err
	}
	status, answer, err := s.send(http.MethodPost, crdPath, "application/json", bytes.NewReader(text))
	if err != nil {
		return err
	}
	if status != http.StatusCreated {
		return fmt.Errorf("%s: %s", definition.Name, answer.body)
	}
	// The definition itself has megabytes; a list of no objects says as well that it is served.
	version := definition.Spec.Versions[0].Name
	list := fmt.Sprintf("/apis/%s/%s/%s?limit=1", definition.Spec.Group, version, definition.Spec.Names.Plural)
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		status, _, err := s.send(http.MethodGet, list, "", nil)
		if err != nil || status == http.StatusOK {
			return err
		}
	}
	return fmt.Errorf("%s is not served after %v", definition.Name, patience)
}
