// The InjectGpuAlias edit as a KRM function with kyaml's framework, written as in its guide: a typed
// functionConfig, a filter for the target items, and the node tree that the framework passes.
//
// It does less than rhoso-fn: it searches the text for the alias's name, and appends the alias if it is missing.
package main

import (
	"fmt"
	"os"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/fn/framework"
	"sigs.k8s.io/kustomize/kyaml/fn/framework/command"
	"sigs.k8s.io/kustomize/kyaml/kio"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

type alias struct {
	Name       string `yaml:"name"`
	VendorID   string `yaml:"vendorId"`
	ProductID  string `yaml:"productId"`
	DeviceType string `yaml:"deviceType"`
	NumaPolicy string `yaml:"numaPolicy"`
}

type injectGpuAlias struct {
	Spec struct {
		Aliases []alias `yaml:"aliases"`
	} `yaml:"spec"`
}

func (a alias) line() string {
	line := fmt.Sprintf(`alias = { "vendor_id":"%s", "product_id":"%s", "device_type":"%s", "name":"%s"`,
		a.VendorID, a.ProductID, a.DeviceType, a.Name)
	if a.NumaPolicy != "" {
		line += fmt.Sprintf(`, "numa_policy":"%s"`, a.NumaPolicy)
	}
	return line + " }"
}

func (c *injectGpuAlias) filter(items []*yaml.RNode) ([]*yaml.RNode, error) {
	for _, item := range items {
		if item.GetKind() != "OpenStackControlPlane" {
			continue
		}
		template, err := item.Pipe(yaml.LookupCreate(yaml.MappingNode,
			"spec", "nova", "template", "apiServiceTemplate"))
		if err != nil {
			return nil, err
		}
		text := yaml.GetValue(template.Field("customServiceConfig").Value)
		for _, a := range c.Spec.Aliases {
			text = add(text, a)
		}
		field := yaml.SetField("customServiceConfig", yaml.NewStringRNode(text))
		if _, err := template.Pipe(field); err != nil {
			return nil, err
		}
	}
	return items, nil
}

func add(text string, a alias) string {
	if strings.Contains(text, `"name":"`+a.Name+`"`) {
		return text
	}
	if before, after, found := strings.Cut(text, "[pci]\n"); found {
		return before + "[pci]\n" + a.line() + "\n" + after
	}
	if text != "" {
		text = strings.TrimRight(text, "\n") + "\n\n"
	}
	return text + "[pci]\n" + a.line() + "\n"
}

func main() {
	config := &injectGpuAlias{}
	processor := framework.SimpleProcessor{Config: config, Filter: kio.FilterFunc(config.filter)}
	if err := command.Build(processor, command.StandaloneDisabled, false).Execute(); err != nil {
		os.Exit(1)
	}
}
