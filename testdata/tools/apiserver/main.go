// A Kubernetes API server that judges manifests, with its store in one process.
//
// `judge --crds DIR...` starts both on free ports of the loopback interface, reads the CRDs of each directory
// (a later directory replaces a CRD of an earlier one) and prints a line of JSON with the path of a kubeconfig. Then it
// reads questions and prints verdicts, a line of JSON each, in any order. It ends with its standard input, so no server
// outlives the test that started it, however that test ends.
package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"sync"
)

// The server holds back the first objects of a new CRD for 2 s. Many workers wait at once.
const workers = 64

type directories []string

func (d *directories) String() string { return fmt.Sprint(*d) }

func (d *directories) Set(value string) error {
	*d = append(*d, value)
	return nil
}

func run() error {
	var crds directories
	data := flag.String("data", "", "directory for the store, keys and the log, removed at the end")
	flag.Var(&crds, "crds", "directory of CRDs; may be repeated")
	flag.Parse()
	if err := serve(*data, crds); err != nil {
		return fmt.Errorf("%w; the log is in %s", err, *data)
	}
	return os.RemoveAll(*data)
}

func serve(data string, crds []string) error {
	if err := os.MkdirAll(data, 0o700); err != nil {
		return err
	}
	log, err := os.Create(filepath.Join(data, "log"))
	if err != nil {
		return err
	}
	// Everything in this process logs to it, which would hide what the tests print.
	os.Stderr = log
	server, err := start(data)
	if err != nil {
		return err
	}
	kinds, err := server.builtIn()
	if err != nil {
		return err
	}
	if err := server.read(crds, kinds); err != nil {
		return err
	}
	out := json.NewEncoder(os.Stdout)
	if err := out.Encode(map[string]string{"kubeconfig": server.kubeconfig}); err != nil {
		return err
	}
	return answer(&bench{server: server, kinds: kinds}, out)
}

// answer reads questions until standard input ends.
func answer(bench *bench, out *json.Encoder) error {
	questions := make(chan question)
	var writing sync.Mutex
	var working sync.WaitGroup
	for range workers {
		working.Go(func() {
			for question := range questions {
				verdict := bench.judge(question)
				writing.Lock()
				_ = out.Encode(verdict)
				writing.Unlock()
			}
		})
	}
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var asked question
		if err := json.Unmarshal(lines.Bytes(), &asked); err != nil {
			return err
		}
		questions <- asked
	}
	close(questions)
	working.Wait()
	return lines.Err()
}

func main() {
	stderr := os.Stderr
	if err := run(); err != nil {
		fmt.Fprintln(stderr, "judge:", err)
		os.Exit(1)
	}
}
