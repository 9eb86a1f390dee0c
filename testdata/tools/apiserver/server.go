package main

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"go.etcd.io/etcd/server/v3/embed"
	"k8s.io/kubernetes/cmd/kube-apiserver/app"
)

// How long each part may take to start. It takes 3 s on a quiet machine.
const patience = 2 * time.Minute

type server struct {
	address    string
	token      string
	kubeconfig string
	http       *http.Client
}

// start returns when the API server is ready.
func start(data string) (*server, error) {
	ports, err := freePorts(3)
	if err != nil {
		return nil, err
	}
	store, err := startStore(filepath.Join(data, "etcd"), ports[0], ports[1])
	if err != nil {
		return nil, err
	}
	started := &server{
		address:    fmt.Sprintf("https://127.0.0.1:%d", ports[2]),
		token:      rand.Text(),
		kubeconfig: filepath.Join(data, "kubeconfig"),
		http: &http.Client{Transport: &http.Transport{
			// The server signs its own certificate. It and its client are on the loopback interface.
			TLSClientConfig:     &tls.Config{InsecureSkipVerify: true},
			ForceAttemptHTTP2:   true,
			MaxIdleConnsPerHost: workers,
		}},
	}
	failed := make(chan error, 1)
	args, err := started.flags(data, store, ports[2])
	if err != nil {
		return nil, err
	}
	go func() {
		command := app.NewAPIServerCommand()
		command.SetArgs(args)
		failed <- command.ExecuteContext(context.Background())
	}()
	return started, started.wait(failed)
}

func startStore(dir string, client, peer int) (string, error) {
	config := embed.NewConfig()
	config.Dir = dir
	config.LogLevel = "error"
	config.UnsafeNoFsync = true // the data does not outlive the process
	address := func(port int) url.URL { return url.URL{Scheme: "http", Host: fmt.Sprintf("127.0.0.1:%d", port)} }
	config.ListenClientUrls = []url.URL{address(client)}
	config.AdvertiseClientUrls = config.ListenClientUrls
	config.ListenPeerUrls = []url.URL{address(peer)}
	config.AdvertisePeerUrls = config.ListenPeerUrls
	config.InitialCluster = config.InitialClusterFromName(config.Name)
	store, err := embed.StartEtcd(config)
	if err != nil {
		return "", err
	}
	select {
	case <-store.Server.ReadyNotify():
		return config.ListenClientUrls[0].String(), nil
	case err := <-store.Err():
		return "", err
	case <-time.After(patience):
		return "", fmt.Errorf("etcd is not ready after %v", patience)
	}
}

// flags writes the files that the API server needs and returns its command line.
func (s *server) flags(data, store string, port int) ([]string, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	der, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		return nil, err
	}
	keyFile := filepath.Join(data, "service-account.pem")
	tokenFile := filepath.Join(data, "tokens.csv")
	for path, content := range map[string][]byte{
		keyFile:      pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: der}),
		tokenFile:    []byte(s.token + ",judge,judge,system:masters\n"),
		s.kubeconfig: []byte(s.clientConfig()),
	} {
		if err := os.WriteFile(path, content, 0o600); err != nil {
			return nil, err
		}
	}
	return []string{
		"--etcd-servers=" + store,
		"--bind-address=127.0.0.1",
		"--advertise-address=127.0.0.1",
		"--endpoint-reconciler-type=none",
		fmt.Sprintf("--secure-port=%d", port),
		"--cert-dir=" + filepath.Join(data, "certificates"),
		"--token-auth-file=" + tokenFile,
		"--authorization-mode=RBAC",
		"--service-account-issuer=https://judge.invalid",
		"--service-account-key-file=" + keyFile,
		"--service-account-signing-key-file=" + keyFile,
		"--service-cluster-ip-range=10.96.0.0/16",
		// Our jobs prepare directories of nodes. OpenShift allows this, and limits it by security context constraints.
		"--allow-privileged=true",
		// No controller creates the objects that these ask for: namespaces, and a service account in each.
		"--disable-admission-plugins=NamespaceLifecycle,ServiceAccount",
		"--enable-priority-and-fairness=false",
		"--v=0",
	}, nil
}

func (s *server) clientConfig() string {
	return fmt.Sprintf(`apiVersion: v1
kind: Config
clusters:
- name: judge
  cluster: {server: %q, insecure-skip-tls-verify: true}
users:
- name: judge
  user: {token: %q}
contexts:
- name: judge
  context: {cluster: judge, user: judge}
current-context: judge
`, s.address, s.token)
}

func (s *server) wait(failed <-chan error) error {
	deadline := time.After(patience)
	for {
		if status, _, err := s.send(http.MethodGet, "/readyz", "", nil); err == nil && status == http.StatusOK {
			return nil
		}
		select {
		case err := <-failed:
			return fmt.Errorf("the API server ended: %w", err)
		case <-deadline:
			return fmt.Errorf("the API server is not ready after %v", patience)
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// reply is the body and the warnings of an answer.
type reply struct {
	body     []byte
	warnings []string
}

func (s *server) send(method, path, contentType string, body io.Reader) (int, reply, error) {
	request, err := http.NewRequest(method, s.address+path, body)
	if err != nil {
		return 0, reply{}, err
	}
	request.Header.Set("Authorization", "Bearer "+s.token)
	request.Header.Set("Accept", "application/json")
	if contentType != "" {
		request.Header.Set("Content-Type", contentType)
	}
	response, err := s.http.Do(request)
	if err != nil {
		return 0, reply{}, err
	}
	defer response.Body.Close()
	read, err := io.ReadAll(response.Body)
	return response.StatusCode, reply{body: read, warnings: response.Header.Values("Warning")}, err
}

// freePorts holds all ports before it releases them, so that they differ.
func freePorts(count int) ([]int, error) {
	var ports []int
	for range count {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return nil, err
		}
		defer listener.Close()
		ports = append(ports, listener.Addr().(*net.TCPAddr).Port)
	}
	return ports, nil
}
