package main

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	watching "k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
)

// change is an event of the store. Its version orders the changes of all kinds, because they are in one store.
type change struct {
	Type    string `json:"type"`
	Kind    string `json:"kind"`
	Name    string `json:"name"`
	Wave    string `json:"wave"`
	version int
}

// cluster is what happens in a cluster.
type cluster struct {
	dynamic dynamic.Interface
	kinds   []schema.GroupVersionResource
	guard   sync.Mutex
	changes []change
	// seen has each object, by kind, namespace and name.
	seen map[string]*unstructured.Unstructured
}

// Groups that the API server and Argo CD write to at any time.
var foreign = []string{
	"apiextensions.k8s.io", "apiregistration.k8s.io", "argoproj.io", "coordination.k8s.io", "events.k8s.io",
}

// watch starts to watch all kinds.
func watch(ctx context.Context, config *rest.Config) (*cluster, error) {
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	discovered, err := discovery.NewDiscoveryClientForConfig(config)
	if err != nil {
		return nil, err
	}
	lists, err := discovered.ServerPreferredResources()
	if err != nil {
		return nil, err
	}
	started := &cluster{dynamic: client, seen: map[string]*unstructured.Unstructured{}}
	for _, list := range lists {
		group, err := schema.ParseGroupVersion(list.GroupVersion)
		if err != nil {
			return nil, err
		}
		for _, resource := range list.APIResources {
			isWatched := slices.Contains(resource.Verbs, "watch") && resource.Kind != "Event"
			if isWatched && !slices.Contains(foreign, group.Group) {
				started.kinds = append(started.kinds, group.WithResource(resource.Name))
			}
		}
	}
	for _, kind := range started.kinds {
		watcher, err := client.Resource(kind).Watch(ctx, meta.ListOptions{})
		if err != nil {
			return nil, fmt.Errorf("%v: %w", kind, err)
		}
		go func() {
			for event := range watcher.ResultChan() {
				if object, isObject := event.Object.(*unstructured.Unstructured); isObject {
					started.note(ctx, kind, event.Type, object)
				}
			}
		}()
	}
	return started, nil
}

func key(kind schema.GroupVersionResource, object *unstructured.Unstructured) string {
	return strings.Join([]string{kind.String(), object.GetNamespace(), object.GetName()}, " ")
}

func (c *cluster) note(
	ctx context.Context, kind schema.GroupVersionResource, event watching.EventType, object *unstructured.Unstructured,
) {
	version, _ := strconv.Atoi(object.GetResourceVersion())
	c.guard.Lock()
	if event == watching.Deleted || !isSame(c.seen[key(kind, object)], object) {
		c.changes = append(c.changes, change{
			Type:    string(event),
			Kind:    object.GetKind(),
			Name:    object.GetName(),
			Wave:    object.GetAnnotations()["argocd.argoproj.io/sync-wave"],
			version: version,
		})
	}
	if event == watching.Deleted {
		delete(c.seen, key(kind, object))
	} else {
		c.seen[key(kind, object)] = object
	}
	c.guard.Unlock()
	if event != watching.Deleted {
		c.control(ctx, kind, object)
	}
}

// isSame compares without the server's bookkeeping: the first update of a PersistentVolumeClaim changes nothing else.
func isSame(before, after *unstructured.Unstructured) bool {
	if before == nil {
		return false
	}
	plain := func(object *unstructured.Unstructured) map[string]any {
		copied := object.DeepCopy()
		copied.SetResourceVersion("")
		copied.SetManagedFields(nil)
		return copied.Object
	}
	return reflect.DeepEqual(plain(before), plain(after))
}

// settle returns when every change that the server has was seen.
func (c *cluster) settle(ctx context.Context) error {
	for {
		actual := map[string]string{}
		for _, kind := range c.kinds {
			list, err := c.dynamic.Resource(kind).List(ctx, meta.ListOptions{})
			if err != nil {
				return err
			}
			for _, object := range list.Items {
				actual[key(kind, &object)] = object.GetResourceVersion()
			}
		}
		c.guard.Lock()
		isSeen := len(actual) == len(c.seen)
		for name, version := range actual {
			isSeen = isSeen && c.seen[name] != nil && c.seen[name].GetResourceVersion() == version
		}
		c.guard.Unlock()
		if isSeen {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(50 * time.Millisecond):
		}
	}
}

func (c *cluster) position() int {
	c.guard.Lock()
	defer c.guard.Unlock()
	return len(c.changes)
}

func (c *cluster) since(position int) []change {
	c.guard.Lock()
	defer c.guard.Unlock()
	found := slices.Clone(c.changes[position:])
	slices.SortFunc(found, func(a, b change) int { return a.version - b.version })
	return found
}
