package main

import (
	"bytes"
	"encoding/json"
	"errors"
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
	// install creates the CRDs of its group, once.
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

// read adds the kinds of all CRDs. The CRDs of a group are installed when a manifest asks for one of them: the large ones
// take a second. They come together, because the webhooks of a kind ask for other kinds of its group.
func (s *server) read(directories []string, known kinds) error {
	definitions, err := readDefinitions(directories)
	if err != nil {
		return err
	}
	groups := map[string][]*apiextensions.CustomResourceDefinition{}
	for _, definition := range definitions {
		groups[definition.Spec.Group] = append(groups[definition.Spec.Group], definition)
	}
	for _, group := range groups {
		install := sync.OnceValue(func() error { return s.installAll(group) })
		for _, definition := range group {
			for _, version := range definition.Spec.Versions {
				known[[2]string{definition.Spec.Group + "/" + version.Name, definition.Spec.Names.Kind}] = kind{
					plural:     definition.Spec.Names.Plural,
					namespaced: definition.Spec.Scope == apiextensions.NamespaceScoped,
					schema:     version.Schema.OpenAPIV3Schema,
					install:    install,
				}
			}
		}
	}
	return nil
}

func (s *server) installAll(definitions []*apiextensions.CustomResourceDefinition) error {
	failures := make([]error, len(definitions))
	var installing sync.WaitGroup
	for i, definition := range definitions {
		installing.Go(func() { failures[i] = s.install(definition) })
	}
	installing.Wait()
	return errors.Join(failures...)
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
	// The definition itself has megabytes, so its status is not read. Webhooks find the kind by discovery.
	version := "/apis/" + definition.Spec.Group + "/" + definition.Spec.Versions[0].Name
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		var discovered meta.APIResourceList
		if s.get(version, &discovered) != nil {
			continue
		}
		for _, resource := range discovered.APIResources {
			if resource.Name == definition.Spec.Names.Plural {
				return nil
			}
		}
	}
	return fmt.Errorf("%s is not served after %v", definition.Name, patience)
}
