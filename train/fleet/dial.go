package fleet

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"os"
	"slices"
	"time"

	"github.com/nats-io/nats.go"

	"powderkeg/engine/option"
	"powderkeg/env/file"
)

// Access is how a process enters a broker, besides what the URL says (a token, or a user and
// a password).
type Access struct {
	// Credentials is a file of a JWT and its nkey, NKey one of an nkey's seed; one at the most.
	Credentials, NKey string
	// CA is a file of the certificates that the broker's must be signed by, if not those that
	// the system trusts. Certificate and Key are files of the process's own.
	CA, Certificate, Key string
	// Inbox is the subject under which answers come, empty for the one of the credential's user,
	// or _INBOX. A learner has its own, on which workers may not listen.
	Inbox string
}

// LearnerInbox is the inbox of learners.
const LearnerInbox = "_INBOX_LEARNER"

// ErrAccess is wrapped by errors of a broker that lets nobody in as who they say they are.
var ErrAccess = errors.New("the broker refuses")

// denied reports whether the broker has said on a connection that its user may not do something.
func denied(conn *nats.Conn) bool { return errors.Is(conn.LastError(), nats.ErrPermissionViolation) }

// whileAllowed calls do, which ends early when the broker says that the user may not do it; it
// answers nothing to what was asked then.
func whileAllowed(ctx context.Context, conn *nats.Conn, do func(context.Context) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() {
		for ctx.Err() == nil {
			if denied(conn) {
				cancel()
			}
			pause(ctx, heartbeat/50)
		}
	}()
	return do(ctx)
}

// dials is how often a broker is called that does not answer in time: a link that loses packets
// may lose the first ones.
const dials = 3

// Dial connects to a broker, or a cluster of them, whose URLs are divided by commas. A
// connection that is lost later comes back by itself, of which tell is told.
func Dial(urls, name string, a Access, tell func(format string, args ...any)) (*nats.Conn, error) {
	return dial(urls, name, a, tell)
}

// dial is Dial with more options, such as a network of a test's own.
func dial(urls, name string, a Access, tell func(format string, args ...any), more ...nats.Option) (*nats.Conn, error) {
	list, err := addresses(urls)
	if err != nil {
		return nil, err
	}
	options := []nats.Option{
		nats.Name(name), nats.MaxReconnects(-1), nats.ReconnectWait(time.Second), nats.Timeout(patience),
		// A broker that is cut off says nothing: after three pings without an answer another is
		// looked for. The answer waits behind what is sent, so that a link must carry the
		// weights in this time.
		nats.PingInterval(patience / 2), nats.MaxPingsOutstanding(2),
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) {
			if err != nil {
				tell("the connection to the broker is lost: %v", err)
			}
		}),
		nats.ReconnectHandler(func(c *nats.Conn) { tell("the connection to the broker is back, by %s", Redacted(c.ConnectedUrl())) }),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) {
			if !errors.Is(err, nats.ErrPermissionViolation) { // who may not do something says so itself
				tell("broker: %v", err)
			}
		}),
	}
	secured, err := a.options()
	if err != nil {
		return nil, err
	}
	var conn *nats.Conn
	for range dials {
		conn, err = nats.Connect(join(list, true), slices.Concat(options, secured, more)...)
		if slow := net.Error(nil); !errors.As(err, &slow) || !slow.Timeout() {
			break
		}
	}
	switch {
	case errors.Is(err, nats.ErrAuthorization):
		return nil, fmt.Errorf("%w: %w", ErrAccess, err)
	case err != nil:
		return nil, fmt.Errorf("broker at %s: %w", Redacted(urls), err)
	}
	return conn, nil
}

// options are those of the connection.
func (a Access) options() ([]nats.Option, error) {
	var list []nats.Option
	if _, name := a.User(); a.Inbox == "" && name != "" {
		a.Inbox = UserInbox(name)
	}
	if a.Inbox != "" {
		list = append(list, nats.CustomInboxPrefix(a.Inbox))
	}
	if a.Credentials != "" && a.NKey != "" {
		return nil, fmt.Errorf("%w: credentials and an nkey are two ways to say who one is; give one", option.ErrUsage)
	}
	if a.Credentials != "" {
		if _, err := os.Stat(a.Credentials); err != nil {
			return nil, err
		}
		list = append(list, nats.UserCredentials(a.Credentials))
	}
	if a.NKey != "" {
		own, err := nats.NkeyOptionFromSeed(a.NKey)
		if err != nil {
			return nil, option.Wrong(fmt.Errorf("nkey %s: %w", a.NKey, err))
		}
		list = append(list, own)
	}
	if a.CA == "" && a.Certificate == "" {
		return list, nil
	}
	config := &tls.Config{MinVersion: tls.VersionTLS12}
	if a.CA != "" {
		text, err := file.Read(a.CA, file.Text)
		if err != nil {
			return nil, err
		}
		config.RootCAs = x509.NewCertPool()
		if !config.RootCAs.AppendCertsFromPEM(text) {
			return nil, fmt.Errorf("%w: %s holds no certificate", option.ErrUsage, a.CA)
		}
	}
	if a.Certificate != "" {
		own, err := tls.LoadX509KeyPair(a.Certificate, a.Key)
		if err != nil {
			return nil, err
		}
		config.Certificates = []tls.Certificate{own}
	}
	return append(list, nats.Secure(config)), nil
}
