package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"

	"github.com/argoproj/argo-cd/v3/applicationset/generators"
	core "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	kinds "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// secrets is an API server that has only these, and answers only lists.
type secrets []core.Secret

func (s secrets) RoundTrip(request *http.Request) (*http.Response, error) {
	selector, err := labels.Parse(request.URL.Query().Get("labelSelector"))
	if err != nil {
		return nil, err
	}
	list := core.SecretList{TypeMeta: kinds.TypeMeta{APIVersion: "v1", Kind: "SecretList"}}
	for _, secret := range s {
		if selector.Matches(labels.Set(secret.Labels)) {
			list.Items = append(list.Items, secret)
		}
	}
	body, err := json.Marshal(list)
	if err != nil {
		return nil, err
	}
	return &http.Response{
		StatusCode: http.StatusOK,
		Header:     http.Header{"Content-Type": []string{"application/json"}},
		Body:       io.NopCloser(bytes.NewReader(body)),
		Request:    request,
	}, nil
}

// clusterGenerator returns the generator of clusters, with the Secrets in which Argo CD keeps them.
func clusterGenerator(clusters []core.Secret, namespace string) (generators.Generator, error) {
	config := &rest.Config{Host: "http://secrets.invalid", Transport: secrets(clusters)}
	clientset, err := kubernetes.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	mapper := meta.NewDefaultRESTMapper(nil)
	mapper.Add(core.SchemeGroupVersion.WithKind("Secret"), meta.RESTScopeNamespace)
	objects, err := client.New(config, client.Options{Scheme: scheme.Scheme, Mapper: mapper})
	if err != nil {
		return nil, err
	}
	return generators.NewClusterGenerator(context.Background(), objects, clientset, namespace), nil
}
