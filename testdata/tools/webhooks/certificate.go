package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"time"
)

// certificate is one that the API server trusts, for a port of the loopback interface.
type certificate struct {
	directory string
	port      int
	pem       []byte
}

// newCertificate writes the files where controller-runtime looks for them.
func newCertificate(directory string) (*certificate, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	defer listener.Close()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	template := &x509.Certificate{
		SerialNumber:          big.NewInt(1),
		NotBefore:             time.Now().Add(-time.Hour),
		NotAfter:              time.Now().Add(24 * time.Hour),
		IPAddresses:           []net.IP{net.IPv4(127, 0, 0, 1)},
		IsCA:                  true,
		BasicConstraintsValid: true,
	}
	signed, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		return nil, err
	}
	der, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		return nil, err
	}
	made := &certificate{
		directory: directory,
		port:      listener.Addr().(*net.TCPAddr).Port,
		pem:       pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: signed}),
	}
	if err := os.MkdirAll(directory, 0o700); err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(directory, "tls.crt"), made.pem, 0o600); err != nil {
		return nil, err
	}
	secret := pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: der})
	return made, os.WriteFile(filepath.Join(directory, "tls.key"), secret, 0o600)
}
