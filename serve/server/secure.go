package server

import (
	"bufio"
	"crypto/sha256"
	"crypto/subtle"
	"crypto/tls"
	"fmt"
	"net"
	"os"
	"strings"

	"powderkeg/serve/protocol"
)

// minToken is the length of the shortest token, in bytes: 16 random ones of base64 take 2^96
// guesses.
const minToken = 16

// ReadTokens reads the tokens of a file: one per line, without the space around it;
// empty lines and lines that begin with # do not count. Errors name the line and
// never its text.
func ReadTokens(path string) ([]string, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("server: tokens: %w", err)
	}
	defer f.Close()
	var tokens []string
	lines := bufio.NewScanner(f)
	for n := 1; lines.Scan(); n++ {
		token := strings.TrimSpace(lines.Text())
		if token == "" || strings.HasPrefix(token, "#") {
			continue
		}
		if err := checkToken(token); err != nil {
			return nil, fmt.Errorf("server: tokens: %s:%d: %w", path, n, err)
		}
		tokens = append(tokens, token)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("server: tokens: %s: %w", path, err)
	}
	if len(tokens) == 0 {
		return nil, fmt.Errorf("server: tokens: %s has none; write one per line, such as from: openssl rand -base64 24", path)
	}
	return tokens, nil
}

func checkToken(token string) error {
	if n := len(token); n < minToken || n > protocol.MaxToken {
		return fmt.Errorf("a token has %d characters, it must have from %d to %d", n, minToken, protocol.MaxToken)
	}
	return nil
}

// digests are those of the tokens, which are of one length and so are compared in
// the same time whatever a client offers.
func digests(tokens []string) [][sha256.Size]byte {
	var list [][sha256.Size]byte
	for _, t := range tokens {
		list = append(list, sha256.Sum256([]byte(t)))
	}
	return list
}

// admits reports whether a token is one of the server's, or none is demanded. It
// looks at all of them, so that its time does not tell which one was close.
func (s *Server) admits(token string) bool {
	if len(s.tokens) == 0 {
		return true
	}
	offered, found := sha256.Sum256([]byte(token)), 0
	for i := range s.tokens {
		found |= subtle.ConstantTimeCompare(offered[:], s.tokens[i][:])
	}
	return found == 1
}

// LoadTLS returns the configuration of a server with the certificate (with its
// chain) and key of two PEM files.
func LoadTLS(certificate, key string) (*tls.Config, error) {
	pair, err := tls.LoadX509KeyPair(certificate, key)
	if err != nil {
		return nil, fmt.Errorf("server: tls: %w", err)
	}
	return &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS13}, nil
}

// secured reports whether the server may be reached from other machines.
func (c *Config) secured() bool { return c.TLS != nil && len(c.Tokens) > 0 }

// secure puts TLS around a connection from a TCP listener, if there is any. A
// Unix socket needs none: it does not leave the machine.
func (c *Config) secure(nc net.Conn) net.Conn {
	if _, ok := nc.LocalAddr().(*net.TCPAddr); ok && c.TLS != nil {
		return tls.Server(nc, c.TLS)
	}
	return nc
}
