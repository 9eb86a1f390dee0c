package main

import (
	"encoding/json"

	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// fill adds the required fields that an object lacks, with values that the schema allows.
func fill(schema *apiextensions.JSONSchemaProps, value any) {
	switch value := value.(type) {
	case map[string]any:
		for _, name := range schema.Required {
			property, defined := schema.Properties[name]
			if _, present := value[name]; defined && !present {
				value[name] = placeholder(&property)
			}
		}
		for name, part := range value {
			if property, defined := schema.Properties[name]; defined {
				fill(&property, part)
			} else if schema.AdditionalProperties != nil && schema.AdditionalProperties.Schema != nil {
				fill(schema.AdditionalProperties.Schema, part)
			}
		}
	case []any:
		if schema.Items != nil && schema.Items.Schema != nil {
			for _, part := range value {
				fill(schema.Items.Schema, part)
			}
		}
	}
}

// fillNulls adds what the webhook of a control plane writes as null when it is missing: its own CRD rejects that, and then
// neither the rules of the CRD nor the validating webhook run.
func fillNulls(kind string, object map[string]any) {
	if kind != "OpenStackControlPlane" {
		return
	}
	path := []string{"spec", "rabbitmq", "templates"}
	if _, present, _ := unstructured.NestedFieldNoCopy(object, path...); !present {
		// An error means that a parent is not a map, which the server reports.
		_ = unstructured.SetNestedMap(object, map[string]any{}, path...)
	}
}

func placeholder(schema *apiextensions.JSONSchemaProps) any {
	for _, given := range append([]apiextensions.JSON{orNone(schema.Default)}, schema.Enum...) {
		var value any
		if json.Unmarshal(given.Raw, &value) == nil {
			return value
		}
	}
	switch {
	case schema.XIntOrString:
		return "1"
	case schema.Type == "object":
		return map[string]any{}
	case schema.Type == "array":
		return []any{}
	case schema.Type == "boolean":
		return false
	case schema.Type == "integer" || schema.Type == "number":
		if schema.Minimum != nil {
			return *schema.Minimum
		}
		return 1
	}
	return "filled"
}

func orNone(value *apiextensions.JSON) apiextensions.JSON {
	if value == nil {
		return apiextensions.JSON{}
	}
	return *value
}
