// Reads documents as go-yaml v3 does, the reader of kustomize and kpt. Each line of stdin is a JSON string
// with one document; each line of stdout is {"value": …} or {"error": "…"}.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strings"

	"go.yaml.in/yaml/v3"
)

func main() {
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	out := bufio.NewWriter(os.Stdout)
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			break
		}
		var text string
		if err := json.Unmarshal(line, &text); err != nil {
			panic(err)
		}
		answer := map[string]any{}
		if value, err := read(text); err != nil {
			answer["error"] = err.Error()
		} else {
			answer["value"] = value
		}
		written, err := json.Marshal(answer)
		if err != nil {
			panic(err)
		}
		out.Write(append(written, '\n'))
		out.Flush()
	}
}

func read(text string) (value any, err error) {
	defer func() {
		if caught := recover(); caught != nil {
			err = fmt.Errorf("go-yaml panics: %v", caught)
		}
	}()
	// A text that ends in something else than its first document is refused, though kustomize ignores the rest.
	decoder := yaml.NewDecoder(strings.NewReader(text))
	var node, second yaml.Node
	if err := decoder.Decode(&node); err == io.EOF {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	if err := decoder.Decode(&second); err == nil {
		return nil, errors.New("a second document")
	} else if err != io.EOF {
		return nil, err
	}
	var decoded any
	if err := node.Decode(&decoded); err != nil {
		return nil, err
	}
	return convert(node.Content[0])
}

// The value as JSON has it: merge keys resolved, timestamps left as they are written.
func convert(node *yaml.Node) (any, error) {
	switch node.Kind {
	case yaml.AliasNode:
		return convert(node.Alias)
	case yaml.SequenceNode:
		list := []any{}
		for _, child := range node.Content {
			value, err := convert(child)
			if err != nil {
				return nil, err
			}
			list = append(list, value)
		}
		return list, nil
	case yaml.MappingNode:
		result := map[string]any{}
		if err := fill(result, node); err != nil {
			return nil, err
		}
		return result, nil
	}
	return scalar(node)
}

// Adds the pairs of a mapping that are not there yet: its own first, then merged ones.
func fill(result map[string]any, node *yaml.Node) error {
	var merged []*yaml.Node
	for i := 0; i+1 < len(node.Content); i += 2 {
		key, value := node.Content[i], node.Content[i+1]
		if key.Kind == yaml.AliasNode {
			key = key.Alias
		}
		if key.Kind != yaml.ScalarNode {
			return fmt.Errorf("line %d: a key that is no scalar", key.Line)
		}
		if key.ShortTag() == "!!merge" {
			merged = append(merged, value)
			continue
		}
		if _, there := result[key.Value]; !there {
			converted, err := convert(value)
			if err != nil {
				return err
			}
			result[key.Value] = converted
		}
	}
	for _, source := range merged {
		if err := merge(result, source); err != nil {
			return err
		}
	}
	return nil
}

func merge(result map[string]any, source *yaml.Node) error {
	if source.Kind == yaml.AliasNode {
		source = source.Alias
	}
	if source.Kind == yaml.SequenceNode {
		for _, element := range source.Content {
			if err := merge(result, element); err != nil {
				return err
			}
		}
		return nil
	}
	return fill(result, source)
}

func scalar(node *yaml.Node) (any, error) {
	switch node.ShortTag() {
	case "!!null", "!!bool", "!!int":
		var value any
		err := node.Decode(&value)
		return value, err
	case "!!float":
		var value float64
		if err := node.Decode(&value); err != nil {
			return nil, err
		}
		if math.IsInf(value, 0) || math.IsNaN(value) {
			return map[string]any{"not in JSON": fmt.Sprint(value)}, nil
		}
		return value, nil
	}
	return node.Value, nil
}
