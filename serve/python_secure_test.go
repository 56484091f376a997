package serve_test

import (
	"context"
	"encoding/pem"
	"net"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"powderkeg/serve"
)

// The Python client speaks TLS with a server that it can verify, and names its
// token; without either it is refused.
func TestPythonClientSpeaksTLSAndTokens(t *testing.T) {
	certified := httptest.NewTLSServer(nil) // for its certificate, which is for 127.0.0.1
	defer certified.Close()
	trust := filepath.Join(t.TempDir(), "cert.pem")
	data := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: certified.Certificate().Raw})
	if err := os.WriteFile(trust, data, 0o600); err != nil {
		t.Fatal(err)
	}
	c := config()
	c.TLS, c.Tokens = certified.TLS.Clone(), []string{"correct-horse-battery-staple"}
	ctx, cancel := context.WithCancel(t.Context())
	ready, done := make(chan net.Addr, 1), make(chan error, 1)
	go func() {
		done <- serve.Run(ctx, serve.Config{Listen: []string{"tcp:127.0.0.1:0"}, Server: c, Ready: func(at []net.Addr, _ net.Addr) { ready <- at[0] }})
	}()
	defer func() {
		cancel()
		if err := <-done; err != nil {
			t.Errorf("Run returned %v, want nil", err)
		}
	}()
	const script = `
import ssl, sys, powderkeg
address, trust, token = sys.argv[1:]
with powderkeg.connect(address, tls=trust, token=token) as client:
    assert client.make("kuhn").spec.name == "kuhn"
for options, what in (
    ({"tls": trust}, "token"),
    ({"tls": trust, "token": token + "?"}, "token"),
    ({"tls": ssl.create_default_context(), "token": token}, "certificate verify failed"),
    ({"tls": "/nonexistent", "token": token}, "/nonexistent"),
):
    try:
        powderkeg.connect(address, **options)
    except powderkeg.Error as error:
        assert what in str(error), (options, error)
    else:
        raise AssertionError(options)
`
	select {
	case at := <-ready:
		inPython(t, nil, "-W", "error", "-c", script, "tcp:"+at.String(), trust, c.Tokens[0])
	case err := <-done:
		done <- nil
		t.Fatal(err)
	}
}
