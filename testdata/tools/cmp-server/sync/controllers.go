package main

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/sirupsen/logrus"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
)

// control does what Argo CD waits for: the Job controller completes a Job, the External Secrets Operator fetches a
// secret, and the garbage collector completes a deletion.
func (c *cluster) control(ctx context.Context, kind schema.GroupVersionResource, object *unstructured.Unstructured) {
	now := time.Now().UTC().Format(time.RFC3339)
	condition := func(name string) map[string]any {
		return map[string]any{"type": name, "status": "True", "lastTransitionTime": now}
	}
	var err error
	switch {
	case object.GetDeletionTimestamp() != nil:
		err = c.collect(ctx, kind, object)
	case object.GetKind() == "Job" && !has(object, "Complete"):
		err = c.setStatus(ctx, kind, object, map[string]any{
			"startTime": now, "completionTime": now, "succeeded": 1,
			// The API server requires both, in this order.
			"conditions": []any{condition("SuccessCriteriaMet"), condition("Complete")},
		})
	case object.GetKind() == "ExternalSecret" && !has(object, "Ready"):
		err = c.setStatus(ctx, kind, object, map[string]any{"conditions": []any{condition("Ready")}})
	}
	if err != nil {
		// The sync does not end then, which the test reports.
		logrus.WithError(err).Errorf("cannot control %s %s", object.GetKind(), object.GetName())
	}
}

func has(object *unstructured.Unstructured, name string) bool {
	conditions, _, _ := unstructured.NestedSlice(object.Object, "status", "conditions")
	return slices.ContainsFunc(conditions, func(condition any) bool {
		fields, isMap := condition.(map[string]any)
		return isMap && fields["type"] == name && fields["status"] == "True"
	})
}

func (c *cluster) setStatus(
	ctx context.Context, kind schema.GroupVersionResource, object *unstructured.Unstructured, status map[string]any,
) error {
	body, err := json.Marshal(map[string]any{"status": status})
	if err != nil {
		return err
	}
	client := c.dynamic.Resource(kind).Namespace(object.GetNamespace())
	_, err = client.Patch(ctx, object.GetName(), types.MergePatchType, body, meta.PatchOptions{}, "status")
	return err
}

// collect removes the finalizer of the garbage collector: nothing in this cluster has an owner.
func (c *cluster) collect(
	ctx context.Context, kind schema.GroupVersionResource, object *unstructured.Unstructured,
) error {
	isCollector := func(finalizer string) bool { return finalizer == meta.FinalizerDeleteDependents }
	if !slices.ContainsFunc(object.GetFinalizers(), isCollector) {
		return nil
	}
	body, err := json.Marshal(map[string]any{"metadata": map[string]any{
		"finalizers": slices.DeleteFunc(object.GetFinalizers(), isCollector),
		// Nobody else has changed it since.
		"resourceVersion": object.GetResourceVersion(),
	}})
	if err != nil {
		return err
	}
	client := c.dynamic.Resource(kind).Namespace(object.GetNamespace())
	_, err = client.Patch(ctx, object.GetName(), types.MergePatchType, body, meta.PatchOptions{})
	return err
}
