package server_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"powderkeg/serve/client"
	"powderkeg/serve/protocol"
	"powderkeg/serve/server"
)

// certified writes a certificate for 127.0.0.1 and its key, and returns their
// files and what a client trusts it with.
func certified(t *testing.T) (certificate, key string, trust *tls.Config) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private)
	if err != nil {
		t.Fatal(err)
	}
	pkcs8, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	write := func(name, kind string, data []byte) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: data}), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	parsed, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	pool := x509.NewCertPool()
	pool.AddCert(parsed)
	return write("cert.pem", "CERTIFICATE", der), write("key.pem", "PRIVATE KEY", pkcs8), &tls.Config{RootCAs: pool}
}

const goodToken = "correct-horse-battery-staple"

// startTCP is start on a TCP port of the loopback interface.
func startTCP(t *testing.T, c server.Config) string {
	t.Helper()
	s, err := server.New(c)
	if err != nil {
		t.Fatal(err)
	}
	l, err := s.Listen("tcp:127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- s.Serve(ctx, l) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Errorf("Serve returned %v, want nil", err)
		}
	})
	return l.Addr().String()
}

func TestTLSAndTokensLetInWhoHasBoth(t *testing.T) {
	certificate, key, trust := certified(t)
	c := config()
	var err error
	if c.TLS, err = server.LoadTLS(certificate, key); err != nil {
		t.Fatal(err)
	}
	c.Tokens = []string{"another-token-of-this-server", goodToken}
	address := startTCP(t, c)
	for _, token := range c.Tokens {
		peer, err := client.DialWith(t.Context(), "tls:"+address, client.Options{Token: token, TLS: trust})
		if err != nil {
			t.Fatal(err)
		}
		defer peer.Close()
		// A response of many records, sent from several pieces.
		v, err := peer.MakeVec(t.Context(), &protocol.VecMake{Game: "jogu", Envs: 256})
		if err != nil {
			t.Fatal(err)
		}
		var r protocol.VecResult
		if err := v.Reset(t.Context(), 1, &r); err != nil || len(r.Actors) != 256 {
			t.Errorf("a long response: %d rows, error %v, want 256", len(r.Actors), err)
		}
	}
	for _, token := range []string{"", goodToken[1:], goodToken + "x", strings.ToUpper(goodToken), strings.Repeat("x", protocol.MaxToken)} {
		_, err := client.DialWith(t.Context(), "tls:"+address, client.Options{Token: token, TLS: trust})
		wantCode(t, "token "+token[:min(len(token), 40)], err, protocol.CodeToken, "demands a token")
	}
	_, err = client.DialWith(t.Context(), "tls:"+address, client.Options{Token: strings.Repeat("x", protocol.MaxToken+1), TLS: trust})
	wantCode(t, "a long token", err, protocol.CodeLimit, "token has 1025 bytes, the limit is 1024")
	if _, err := client.DialWith(t.Context(), "tls:"+address, client.Options{Token: goodToken}); err == nil ||
		!strings.Contains(err.Error(), "certificate") {
		t.Errorf("a client that does not trust the certificate: got error %v", err)
	}
	if _, err := client.DialWith(t.Context(), "tcp:"+address, client.Options{Token: goodToken}); err == nil {
		t.Error("a client without TLS was let in")
	}
}

func TestTokensAreDemandedOnUnixSocketsToo(t *testing.T) {
	c := config()
	c.Tokens = []string{goodToken}
	address, _ := start(t, c)
	_, err := client.Dial(t.Context(), address)
	wantCode(t, "no token", err, protocol.CodeToken)
	peer, err := client.DialWith(t.Context(), address, client.Options{Token: goodToken})
	if err != nil {
		t.Fatal(err)
	}
	peer.Close()
	// Without a token nothing else is answered either.
	r := dialRaw(t, address)
	r.send(1, protocol.MethodGames, nil)
	r.wantFault("games", 1, protocol.CodeHello)
	r.wantClosed("games")
}

func TestAStalledHandshakeEndsAfterTheReadTimeout(t *testing.T) {
	certificate, key, trust := certified(t)
	c := config()
	c.ReadTimeout = 50 * time.Millisecond
	var err error
	if c.TLS, err = server.LoadTLS(certificate, key); err != nil {
		t.Fatal(err)
	}
	address := startTCP(t, c)
	conn, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	conn.SetReadDeadline(time.Now().Add(5 * time.Second))
	if n, err := conn.Read(make([]byte, 1)); err == nil || os.IsTimeout(err) {
		t.Errorf("a client that says nothing: read %d bytes, error %v, want a closed connection", n, err)
	}
	peer, err := client.DialWith(t.Context(), "tls:"+address, client.Options{TLS: trust})
	if err != nil {
		t.Fatalf("a client after that: %v", err)
	}
	peer.Close()
}

func TestOtherMachinesTakeTLSAndTokens(t *testing.T) {
	certificate, key, _ := certified(t)
	encrypted, err := server.LoadTLS(certificate, key)
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct {
		name    string
		tls     *tls.Config
		tokens  []string
		allowed bool
	}{
		{"neither", nil, nil, false}, {"TLS alone", encrypted, nil, false}, {"tokens alone", nil, []string{goodToken}, false},
		{"both", encrypted, []string{goodToken}, true},
	} {
		c := config()
		c.TLS, c.Tokens = x.tls, x.tokens
		s, err := server.New(c)
		if err != nil {
			t.Fatal(err)
		}
		l, err := s.Listen("tcp:0.0.0.0:0")
		if err == nil {
			l.Close()
		}
		if (err == nil) != x.allowed || !x.allowed && !strings.Contains(err.Error(), "other machines") {
			t.Errorf("%s: got error %v, want that it is allowed: %v", x.name, err, x.allowed)
		}
	}
}

func TestReadTokensNamesTheFaultAndNotTheToken(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tokens")
	for _, x := range []struct{ text, want string }{
		{"", "has none"}, {"# only a comment\n\n", "has none"}, {"# c\nsecret\n", ":2: a token has 6 characters, it must have from 16 to 1024"},
		{strings.Repeat("secret", 200), ":1: a token has 1200 characters"}, {strings.Repeat("secret", 20000), "too long"},
	} {
		if err := os.WriteFile(path, []byte(x.text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := server.ReadTokens(path)
		if err == nil || !strings.Contains(err.Error(), x.want) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%.20q: got error %v, want one with %q and without the token", x.text, err, x.want)
		}
	}
	if _, err := server.ReadTokens(path + "x"); err == nil || !strings.Contains(err.Error(), "no such file") {
		t.Errorf("no file: got error %v", err)
	}
	if err := os.WriteFile(path, []byte("# ours\n  "+goodToken+"  \n\nanother-token-of-ours\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	tokens, err := server.ReadTokens(path)
	if err != nil || strings.Join(tokens, "|") != goodToken+"|another-token-of-ours" {
		t.Errorf("got tokens %q, error %v", tokens, err)
	}
	c := config()
	c.Tokens = []string{"short"}
	if err := c.Validate(); err == nil || !strings.Contains(err.Error(), "token 0") {
		t.Errorf("a short token in the configuration: got error %v", err)
	}
}
