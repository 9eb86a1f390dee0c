// Reads manifests as a strict API server does: unknown and repeated fields of Kubernetes' own kinds are errors.
// Kinds that Kubernetes does not know are left out. Prints how many it has read.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/util/yaml"
	"k8s.io/client-go/kubernetes/scheme"
)

func main() {
	decoder := serializer.NewCodecFactory(scheme.Scheme, serializer.EnableStrict).UniversalDeserializer()
	documents := yaml.NewDocumentDecoder(io.NopCloser(os.Stdin))
	buffer := make([]byte, 4<<20)
	read, failed := 0, false
	for {
		n, err := documents.Read(buffer)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		_, kind, err := decoder.Decode(buffer[:n], nil, nil)
		switch {
		case runtime.IsNotRegisteredError(err):
		case err != nil:
			failed = true
			fmt.Fprintln(os.Stderr, kind, err)
		default:
			read++
		}
	}
	fmt.Println(read)
	if failed {
		os.Exit(1)
	}
}
