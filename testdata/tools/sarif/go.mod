module rhoso-fn/testdata/tools/sarif

go 1.25.6

require github.com/santhosh-tekuri/jsonschema/v6 v6.0.3

require golang.org/x/text v0.14.0 // indirect
