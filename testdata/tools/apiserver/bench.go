package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"

	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"
)

// question is one manifest, as a user has it in a file.
type question struct {
	ID   int    `json:"id"`
	YAML string `json:"yaml"`
	// Fill adds the required fields that are missing, because webhooks of the operators set many of them.
	Fill bool `json:"fill"`
	// Real applies the manifest twice for real, after the dry runs.
	Real bool `json:"real"`
	// Remove removes the object, so that the next manifest of that name is new, and judges nothing.
	Remove bool `json:"remove"`
}

// verdict lists why the server rejects a manifest; nothing if it accepts it.
type verdict struct {
	ID       int      `json:"id"`
	Unknown  bool     `json:"unknown"`
	Causes   []string `json:"causes"`
	Warnings []string `json:"warnings"`
}

type bench struct {
	server *server
	kinds  kinds
}

func (b *bench) judge(asked question) verdict {
	found := verdict{ID: asked.ID, Causes: []string{}, Warnings: []string{}}
	add := func(err error) verdict {
		found.Causes = append(found.Causes, err.Error())
		return found
	}
	var object map[string]any
	if err := yaml.Unmarshal([]byte(asked.YAML), &object); err != nil {
		return add(err)
	}
	var header meta.PartialObjectMetadata
	if err := yaml.Unmarshal([]byte(asked.YAML), &header); err != nil {
		return add(err)
	}
	kind, known := b.kinds[[2]string{header.APIVersion, header.Kind}]
	if !known {
		found.Unknown = true
		return found
	}
	if err := kind.install(); err != nil {
		return add(err)
	}
	body := []byte(asked.YAML)
	if asked.Fill && kind.schema != nil {
		fill(kind.schema, object)
		fillNulls(header.Kind, object)
		var err error
		if body, err = yaml.Marshal(object); err != nil {
			return add(err)
		}
	}
	collection, name := address(kind, header)
	if asked.Remove {
		b.remove(&found, collection+"/"+url.PathEscape(name))
		return found
	}
	const strict = "fieldManager=judge&fieldValidation=Strict"
	create := collection + "?dryRun=All&fieldValidation="
	b.try(&found, http.MethodPost, create+"Strict", "application/yaml", body)
	if len(found.Causes) != 0 {
		// An unknown field hides all other problems. Now it is a warning.
		b.try(&found, http.MethodPost, create+"Warn", "application/yaml", body)
	}
	apply := collection + "/" + url.PathEscape(name) + "?force=true&" + strict
	const patch = "application/apply-patch+yaml"
	b.try(&found, http.MethodPatch, apply+"&dryRun=All", patch, body)
	if asked.Real {
		first := b.try(&found, http.MethodPatch, apply, patch, body)
		second := b.try(&found, http.MethodPatch, apply, patch, body)
		if first != second {
			found.Causes = append(found.Causes, "applied a second time, it changes")
		}
	}
	return found
}

// remove deletes an object without the controllers that would handle its finalizers.
func (b *bench) remove(found *verdict, path string) {
	const merge = "application/merge-patch+json"
	b.try(found, http.MethodPatch, path, merge, []byte(`{"metadata":{"finalizers":null}}`))
	b.try(found, http.MethodDelete, path+"?propagationPolicy=Background", "", nil)
	if name, isNamespace := strings.CutPrefix(path, "/api/v1/namespaces/"); isNamespace && !strings.Contains(name, "/") {
		body := fmt.Appendf(nil, `{"apiVersion":"v1","kind":"Namespace","metadata":{"name":%q},"spec":{}}`, name)
		b.try(found, http.MethodPut, path+"/finalize", "application/json", body)
	}
}

// address returns the path of the collection and the name to apply to.
func address(kind kind, header meta.PartialObjectMetadata) (collection, name string) {
	prefix := "/apis/" + header.APIVersion
	if !strings.Contains(header.APIVersion, "/") {
		prefix = "/api/" + header.APIVersion
	}
	if kind.namespaced {
		namespace := header.Namespace
		if namespace == "" {
			namespace = "default"
		}
		prefix += "/namespaces/" + namespace
	}
	return prefix + "/" + kind.plural, header.Name
}

// Problems in the names of fields come as one text, in different words from create and apply.
var (
	strictProblem = regexp.MustCompile(`(?:unknown|duplicate) field "[^"]*"`)
	applyProblem  = regexp.MustCompile(`\.(\S+): field not declared in schema`)
)

// try sends a request, adds what is new to the verdict, and returns the object without the server's bookkeeping.
func (b *bench) try(found *verdict, method, path, contentType string, body []byte) string {
	status, answer, err := b.server.send(method, path, contentType, bytes.NewReader(body))
	if err != nil {
		found.Causes = insert(found.Causes, err.Error())
		return ""
	}
	for _, warning := range answer.warnings {
		problems := strictProblem.FindAllString(strings.ReplaceAll(warning, `\"`, `"`), -1)
		for _, problem := range problems {
			found.Causes = insert(found.Causes, problem)
		}
		if len(problems) == 0 {
			found.Warnings = insert(found.Warnings, warning)
		}
	}
	if status < 300 {
		var object unstructured.Unstructured
		if err := object.UnmarshalJSON(answer.body); err != nil {
			found.Causes = insert(found.Causes, err.Error())
		}
		// The first update of a PersistentVolumeClaim changes nothing else.
		object.SetResourceVersion("")
		object.SetManagedFields(nil)
		return fmt.Sprint(object.Object)
	}
	var refusal meta.Status
	if err := json.Unmarshal(answer.body, &refusal); err != nil {
		found.Causes = insert(found.Causes, fmt.Sprintf("%d: %s", status, answer.body))
		return ""
	}
	causes := strictProblem.FindAllString(refusal.Message, -1)
	for _, match := range applyProblem.FindAllStringSubmatch(refusal.Message, -1) {
		causes = append(causes, fmt.Sprintf("unknown field %q", match[1]))
	}
	if refusal.Details != nil {
		for _, cause := range refusal.Details.Causes {
			causes = append(causes, fmt.Sprintf("%s: %s", cause.Field, cause.Message))
		}
	}
	if len(causes) == 0 {
		causes = []string{refusal.Message}
	}
	for _, cause := range causes {
		found.Causes = insert(found.Causes, cause)
	}
	return ""
}

func insert(list []string, text string) []string {
	for _, present := range list {
		if present == text {
			return list
		}
	}
	return append(list, text)
}
