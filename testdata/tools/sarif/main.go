// judge-sarif validates the SARIF log on stdin with the schema of SARIF 2.1.0, and prints what is wrong with it.
// `build` adds the schema.
package main

import (
	_ "embed"
	"fmt"
	"os"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

//go:embed schema.json
var text string

func main() {
	if err := judge(); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
}

func judge() error {
	definition, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		return err
	}
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	if err := compiler.AddResource("sarif.json", definition); err != nil {
		return err
	}
	schema, err := compiler.Compile("sarif.json")
	if err != nil {
		return err
	}
	log, err := jsonschema.UnmarshalJSON(os.Stdin)
	if err != nil {
		return err
	}
	return schema.Validate(log)
}
