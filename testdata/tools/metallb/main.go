// MetalLB's own parser of its configuration, which its webhooks and its controller use.
//
// It reads questions, each a set of manifests, and prints MetalLB's error about the set, if any, a line of JSON each.
// The parser is internal to MetalLB's module, so `build` compiles this file inside a copy of it.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"go.universe.tf/metallb/api/v1beta1"
	"go.universe.tf/metallb/api/v1beta2"
	"go.universe.tf/metallb/internal/bgp/community"
	"go.universe.tf/metallb/internal/config"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/yaml"
	kyaml "sigs.k8s.io/yaml"
)

type question struct {
	ID int `json:"id"`
	// YAML is a stream of manifests. Those of other kinds are left out.
	YAML string `json:"yaml"`
}

type verdict struct {
	ID     int      `json:"id"`
	Known  int      `json:"known"`
	Causes []string `json:"causes"`
}

// add parses a manifest into the list of its kind and says whether there is one.
func add(resources *config.ClusterResources, manifest []byte) (bool, error) {
	var header meta.TypeMeta
	if err := kyaml.Unmarshal(manifest, &header); err != nil {
		return false, err
	}
	switch header {
	case meta.TypeMeta{APIVersion: "metallb.io/v1beta1", Kind: "IPAddressPool"}:
		return true, read(manifest, &resources.Pools, v1beta1.IPAddressPool{})
	case meta.TypeMeta{APIVersion: "metallb.io/v1beta1", Kind: "L2Advertisement"}:
		return true, read(manifest, &resources.L2Advs, v1beta1.L2Advertisement{})
	case meta.TypeMeta{APIVersion: "metallb.io/v1beta1", Kind: "BGPAdvertisement"}:
		return true, read(manifest, &resources.BGPAdvs, v1beta1.BGPAdvertisement{})
	case meta.TypeMeta{APIVersion: "metallb.io/v1beta1", Kind: "Community"}:
		return true, read(manifest, &resources.Communities, v1beta1.Community{})
	case meta.TypeMeta{APIVersion: "metallb.io/v1beta1", Kind: "BFDProfile"}:
		return true, read(manifest, &resources.BFDProfiles, v1beta1.BFDProfile{})
	case meta.TypeMeta{APIVersion: "metallb.io/v1beta2", Kind: "BGPPeer"}:
		return true, read(manifest, &resources.Peers, v1beta2.BGPPeer{})
	}
	return false, nil
}

func read[T any](manifest []byte, list *[]T, value T) error {
	err := kyaml.Unmarshal(manifest, &value)
	*list = append(*list, value)
	return err
}

// completeCommunities defines the names of communities that the set only refers to: they may be in the cluster.
func completeCommunities(resources *config.ClusterResources) {
	defined := map[string]bool{}
	for _, resource := range resources.Communities {
		for _, alias := range resource.Spec.Communities {
			defined[alias.Name] = true
		}
	}
	for _, advertisement := range resources.BGPAdvs {
		for _, name := range advertisement.Spec.Communities {
			if _, err := community.New(name); err == nil || defined[name] {
				continue
			}
			defined[name] = true
			aliases := []v1beta1.CommunityAlias{{Name: name, Value: "64512:1"}}
			resources.Communities = append(resources.Communities, v1beta1.Community{
				Spec: v1beta1.CommunitySpec{Communities: aliases},
			})
		}
	}
}

func judge(asked question) verdict {
	found := verdict{ID: asked.ID, Causes: []string{}}
	var resources config.ClusterResources
	documents := yaml.NewYAMLReader(bufio.NewReader(strings.NewReader(asked.YAML)))
	for {
		manifest, err := documents.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		known := false
		if err == nil {
			known, err = add(&resources, manifest)
		}
		if err != nil {
			found.Causes = append(found.Causes, err.Error())
			return found
		}
		if known {
			found.Known++
		}
	}
	completeCommunities(&resources)
	// OpenShift's operator runs the speakers in FRR-K8s mode.
	if _, err := config.For(resources, config.ValidationFor("frr-k8s")); err != nil {
		found.Causes = append(found.Causes, err.Error())
	}
	return found
}

func run() error {
	out := json.NewEncoder(os.Stdout)
	if err := out.Encode(struct{}{}); err != nil {
		return err
	}
	questions := json.NewDecoder(os.Stdin)
	for {
		var asked question
		err := questions.Decode(&asked)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil {
			err = out.Encode(judge(asked))
		}
		if err != nil {
			return err
		}
	}
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "metallb:", err)
		os.Exit(1)
	}
}
