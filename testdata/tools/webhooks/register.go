package main

import (
	"context"
	"fmt"
	"strings"

	registration "k8s.io/api/admissionregistration/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/apiutil"
)

// register tells the API server to call the webhooks of all kinds, as the manifests of the operators do.
func register(api client.Client, scheme *runtime.Scheme, certificate *certificate) error {
	mutating := &registration.MutatingWebhookConfiguration{ObjectMeta: meta.ObjectMeta{Name: "openstack"}}
	validating := &registration.ValidatingWebhookConfiguration{ObjectMeta: meta.ObjectMeta{Name: "openstack"}}
	none, fail := registration.SideEffectClassNone, registration.Fail
	for plural, object := range kinds {
		kind, err := apiutil.GVKForObject(object, scheme)
		if err != nil {
			return err
		}
		rules := []registration.RuleWithOperations{{
			Operations: []registration.OperationType{registration.Create, registration.Update},
			Rule: registration.Rule{
				APIGroups: []string{kind.Group}, APIVersions: []string{kind.Version}, Resources: []string{plural},
			},
		}}
		// controller-runtime derives the path from the kind.
		path := fmt.Sprintf("%s-%s-%s", strings.ReplaceAll(kind.Group, ".", "-"), kind.Version, strings.ToLower(kind.Kind))
		call := func(verb string) registration.WebhookClientConfig {
			url := fmt.Sprintf("https://127.0.0.1:%d/%s-%s", certificate.port, verb, path)
			return registration.WebhookClientConfig{URL: &url, CABundle: certificate.pem}
		}
		mutating.Webhooks = append(mutating.Webhooks, registration.MutatingWebhook{
			Name: "m." + plural + ".judge.invalid", ClientConfig: call("mutate"), Rules: rules,
			SideEffects: &none, FailurePolicy: &fail, AdmissionReviewVersions: []string{"v1"},
		})
		validating.Webhooks = append(validating.Webhooks, registration.ValidatingWebhook{
			Name: "v." + plural + ".judge.invalid", ClientConfig: call("validate"), Rules: rules,
			SideEffects: &none, FailurePolicy: &fail, AdmissionReviewVersions: []string{"v1"},
		})
	}
	for _, configuration := range []client.Object{mutating, validating} {
		if err := api.Create(context.Background(), configuration); err != nil {
			return err
		}
	}
	return nil
}
