package fleet

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nkeys"

	"powderkeg/checkpoints/durable"
	"powderkeg/engine/option"
	"powderkeg/env/file"
)

// Role is what a user of a broker may do.
type Role string

// A worker plays under its own name and does nothing else, a learner leads runs, and who looks
// sees who leads and works.
const (
	RoleWorker  Role = "worker"
	RoleLearner Role = "learner"
	RoleLook    Role = "look"
)

// UsersFile is what AddUser writes for the broker, whose configuration includes it.
const UsersFile = "users.conf"

// UserInbox is the inbox of a user who is no learner. Others may not listen there.
func UserInbox(name string) string { return "_INBOX_USER." + name }

// publish lists the subjects to which a user may publish, nil for all.
func (r Role) publish(name string) []string {
	switch r {
	case RoleWorker:
		// Its own parts and reports; what it reads; the tasks of the queue, and their ends. No
		// consumers: the broker delivers to whatever subject one names, also that of another.
		return []string{
			names{"*"}.partSubject(name), names{"*"}.reportSubject(name, "*"),
			"$JS.API.STREAM.NAMES", "$JS.API.STREAM.INFO.*", "$JS.API.DIRECT.GET.>",
			"$JS.API.CONSUMER.INFO.*." + workersQueue, "$JS.API.CONSUMER.MSG.NEXT.*." + workersQueue, "$JS.ACK.*." + workersQueue + ".>",
		}
	case RoleLook:
		return []string{
			"$JS.API.STREAM.NAMES", "$JS.API.STREAM.INFO.*", "$JS.API.DIRECT.GET.>", "$JS.API.STREAM.MSG.GET.*", "$JS.API.CONSUMER.INFO.*." + workersQueue,
		}
	}
	return nil
}

// exported lists what the learners' account offers to the accounts of others: what any of them may
// publish.
func exported() []string {
	list := slices.Concat(RoleWorker.publish("*"), RoleLook.publish("*"))
	slices.Sort(list)
	return slices.Compact(list)
}

// The users stand in the file between these, a line for each: learners first, in the account that
// has the streams. Everybody else has an account of its own, which imports what its user may
// publish. The broker publishes its answers wherever the request says, without asking whether the
// user may, so that in one account a worker could have the broker send an empty answer to
// $JS.API.STREAM.DELETE. In an account of its own the answers reach nobody else.
var (
	usersHead = fmt.Sprintf(`# The users of a broker, for nats.conf. "powderkeg cluster user NAME" adds a line; to take a user
# away remove its line. Then, twice: nats-server --signal reload (the first makes an account, the
# second connects it with the others).
accounts {
  POWDERKEG {
    jetstream: enabled
    exports: [
%s    ]
    users: [
`, formatted(exported(), "      { service: %q }\n"))
	usersMiddle = `    ]
  }
`
	usersTail = `}
`
)

// formatted formats every item of a list.
func formatted(list []string, format string) string {
	var text strings.Builder
	for _, item := range list {
		fmt.Fprintf(&text, format, item)
	}
	return text.String()
}

// AddUser makes a user of the broker: the credential dir/NAME.nk, whose path it returns, and a
// line in dir/users.conf. Errors about what was asked for wrap option.ErrUsage. There are no
// passwords: a credential is an nkey, of which the broker knows the public half.
func AddUser(dir, name string, role Role) (credential string, err error) {
	if name == "" || len(name) > 64 || name != RunName(name) {
		return "", fmt.Errorf("%w: a user cannot be called %q: letters, digits, - and _ make a name, 64 at most", option.ErrUsage, name)
	}
	if role != RoleWorker && role != RoleLearner && role != RoleLook {
		return "", fmt.Errorf("%w: no role %q; known are: %s, %s, %s", option.ErrUsage, role, RoleWorker, RoleLearner, RoleLook)
	}
	path := filepath.Join(dir, UsersFile)
	text, err := file.Read(path, file.Text)
	if errors.Is(err, fs.ErrNotExist) {
		text, err = []byte(usersHead+usersMiddle+usersTail), nil
	}
	if err != nil {
		return "", err
	}
	learners, others, whole := usersIn(string(text))
	if !whole {
		return "", fmt.Errorf("%w: %s is not as \"powderkeg cluster user\" writes it; make the users anew in another directory", option.ErrUsage, path)
	}
	for line := range strings.Lines(learners + others) {
		if _, who, there := strings.Cut(line, " # "); there && strings.HasSuffix(strings.TrimSpace(who), " "+name) {
			return "", fmt.Errorf("%w: %s has a user %s already; remove its line first to make another", option.ErrUsage, path, name)
		}
	}
	key, err := nkeys.CreateUser()
	if err != nil {
		return "", err
	}
	public, err1 := key.PublicKey()
	seed, err2 := key.Seed()
	if err := errors.Join(err1, err2, file.MakeFolder(dir)); err != nil {
		return "", err
	}
	credential = filepath.Join(dir, name+".nk")
	if err := writeSecret(credential, fmt.Sprintf("%s%s %s\n%s\n", credentialMark, role, name, seed)); err != nil {
		return "", err
	}
	if role == RoleLearner {
		learners += fmt.Sprintf("      { nkey: %q } # %s %s\n", public, role, name)
	} else {
		others += fmt.Sprintf("  %s { users: [ { nkey: %q, %s } ], imports: [%s] } # %s %s\n",
			account(name), public, permissions(role, name), imports(role, name), role, name)
	}
	return credential, durable.WriteFile(path, []byte(usersHead+learners+usersMiddle+others+usersTail))
}

// usersIn returns the lines of users.conf that AddUser has written, of learners and of others.
func usersIn(text string) (learners, others string, whole bool) {
	list, headed := strings.CutPrefix(text, usersHead)
	list, tailed := strings.CutSuffix(list, usersTail)
	learners, others, middle := strings.Cut(list, usersMiddle)
	return learners, others, headed && tailed && middle
}

// In a user's account the API of the learners' account has another prefix than that account's own.
const defaultAPI, userAPI = "$JS.API", "POWDERKEG.API"

// imported is what a subject of the learners' account is called in a user's account.
func imported(subject string) string {
	if call, is := strings.CutPrefix(subject, defaultAPI+"."); is {
		return userAPI + "." + call
	}
	return subject
}

// open returns the API of the broker's streams, for whoever is connected: a user with an inbox of
// its own has an account of its own, too.
func open(conn *nats.Conn) (jetstream.JetStream, error) {
	if strings.HasPrefix(conn.Opts.InboxPrefix, UserInbox("")) {
		return jetstream.NewWithAPIPrefix(conn, userAPI)
	}
	return jetstream.New(conn)
}

// account is the name of a user's account.
func account(name string) string { return "USER_" + name }

// imports are what a user's account has of the learners'.
func imports(role Role, name string) string {
	list := role.publish(name)
	for i, subject := range list {
		list[i] = fmt.Sprintf("{ service: { account: POWDERKEG, subject: %q }, to: %q }", subject, imported(subject))
	}
	return strings.Join(list, ", ")
}

// credentialMark begins a credential; role and name follow, and the seed in the next line.
const credentialMark = "# powderkeg "

// writeSecret writes a file that nobody else may read, in the place of one of its name.
func writeSecret(path, text string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	return errors.Join(err, f.Close())
}

// permissions are those of a user who is no learner. The account bounds the same; who asks for what
// it may not is told so by these.
func permissions(role Role, name string) string {
	allowed := role.publish(name)
	for i, subject := range allowed {
		allowed[i] = fmt.Sprintf("%q", imported(subject))
	}
	return fmt.Sprintf("permissions: { publish: { allow: [%s] }, subscribe: { allow: [%q] } }", strings.Join(allowed, ", "), UserInbox(name)+".>")
}

// User returns the role and the name of the user whose credential the access has, empty if it is
// none that AddUser has made.
func (a Access) User() (role Role, name string) {
	if a.NKey == "" {
		return "", ""
	}
	text, err := file.Read(a.NKey, file.Text)
	if err != nil {
		return "", "" // Dial says so
	}
	first, _, _ := strings.Cut(string(text), "\n")
	said, marked := strings.CutPrefix(strings.TrimSpace(first), credentialMark)
	of, name, _ := strings.Cut(said, " ")
	if !marked || name != RunName(name) {
		return "", ""
	}
	return Role(of), name
}
