// Package reposerver runs Argo CD's own repo server, at the release that go.mod pins, with a cache in the same process.
package reposerver

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/argoproj/argo-cd/v3/cmd/argocd-repo-server/commands"
	"github.com/argoproj/argo-cd/v3/reposerver/apiclient"
	"github.com/argoproj/argo-cd/v3/util/askpass"
	"github.com/sirupsen/logrus"
)

// Patience is how long the server may take to start, and to render.
const Patience = time.Minute

// Server is a running repo server and its cache.
type Server struct {
	Address string
	Cache   string
}

// Start returns when the server accepts connections. Everything that this process writes is below data.
func Start(data string) (*Server, error) {
	cache := miniredis.NewMiniRedis()
	if err := cache.Start(); err != nil {
		return nil, err
	}
	log, err := os.Create(filepath.Join(data, "log"))
	if err != nil {
		return nil, err
	}
	os.Stderr = log
	logrus.SetOutput(log)
	askpass.SocketPath = filepath.Join(data, "askpass.sock")
	for name, value := range map[string]string{"TMPDIR": data, "ARGOCD_GPG_ENABLED": "false"} {
		if err := os.Setenv(name, value); err != nil {
			return nil, err
		}
	}
	ports, err := FreePorts(2)
	if err != nil {
		return nil, err
	}
	command := commands.NewCommand()
	command.SetArgs([]string{
		"--address", "127.0.0.1", "--port", ports[0], "--metrics-address", "127.0.0.1", "--metrics-port", ports[1],
		"--disable-tls", "--redis", cache.Addr(),
	})
	failed := make(chan error, 1)
	go func() { failed <- command.Execute() }()
	started := &Server{Address: net.JoinHostPort("127.0.0.1", ports[0]), Cache: cache.Addr()}
	for deadline := time.Now().Add(Patience); time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		select {
		case err := <-failed:
			return nil, fmt.Errorf("the repo server ended: %w", err)
		default:
		}
		if connection, err := net.Dial("tcp", started.Address); err == nil {
			return started, connection.Close()
		}
	}
	return nil, fmt.Errorf("the repo server does not start")
}

// Client connects to the server as the application controller does.
func (s *Server) Client() (apiclient.RepoServerServiceClient, error) {
	tls := apiclient.TLSConfiguration{DisableTLS: true}
	_, client, err := apiclient.NewRepoServerClientset(s.Address, int(Patience.Seconds()), tls).NewRepoServerClient()
	return client, err
}

// FreePorts holds all ports before it releases them, so that they differ.
func FreePorts(count int) ([]string, error) {
	var ports []string
	for range count {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return nil, err
		}
		defer listener.Close()
		_, port, err := net.SplitHostPort(listener.Addr().String())
		if err != nil {
			return nil, err
		}
		ports = append(ports, port)
	}
	return ports, nil
}
