// kpt's function commands, `kpt fn …`, at the releases that go.mod and older.mod pin.
//
// The whole of kpt does not build from the Go module proxy: its alpha commands need a module that the
// proxy does not have. The commands that run functions do not use it, so they are all there is here.
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/kptdev/kpt/commands/fn"
	"github.com/kptdev/kpt/pkg/printer"
	"github.com/spf13/cobra"
)

func main() {
	root := &cobra.Command{Use: "kpt", SilenceUsage: true, SilenceErrors: true}
	root.PersistentFlags().BoolVar(&printer.TruncateOutput, "truncate-output", true, "truncate long output")
	ctx := printer.WithContext(context.Background(), printer.New(root.OutOrStdout(), root.ErrOrStderr()))
	root.AddCommand(fn.GetCommand(ctx, "kpt"))
	if err := root.Execute(); err != nil {
		fmt.Fprintf(os.Stderr, "Error: %v\n", err)
		os.Exit(1)
	}
}
