package fleet

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/nats-io/nkeys"

	"powderkeg/checkpoints/durable"
	"powderkeg/engine/option"
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

// usersHead and usersTail stand around the users in the file, each of whom has a line.
const (
	usersHead = `# The users of a broker, for nats.conf. "powderkeg cluster user NAME" adds a line; to take a user
# away remove its line. Then: nats-server --signal reload
accounts {
  POWDERKEG {
    jetstream: enabled
    users: [
`
	usersTail = `    ]
  }
}
`
)

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
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		text, err = []byte(usersHead+usersTail), nil
	}
	if err != nil {
		return "", err
	}
	list, whole := bytes.CutSuffix(text, []byte(usersTail))
	if !whole || !bytes.HasPrefix(list, []byte(usersHead)) {
		return "", fmt.Errorf("%w: %s is not as \"powderkeg cluster user\" writes it; give another directory", option.ErrUsage, path)
	}
	for line := range strings.Lines(string(list)) {
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
	if err := errors.Join(err1, err2, os.MkdirAll(dir, 0o777)); err != nil {
		return "", err
	}
	credential = filepath.Join(dir, name+".nk")
	if err := writeSecret(credential, fmt.Sprintf("%s%s %s\n%s\n", credentialMark, role, name, seed)); err != nil {
		return "", err
	}
	line := fmt.Sprintf("      { nkey: %q%s } # %s %s\n", public, permissions(role, name), role, name)
	return credential, durable.WriteFile(path, []byte(string(list)+line+usersTail))
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

// permissions are those of a user in the broker's configuration.
func permissions(role Role, name string) string {
	allowed := role.publish(name)
	if allowed == nil {
		return ""
	}
	for i, subject := range allowed {
		allowed[i] = fmt.Sprintf("%q", subject)
	}
	return fmt.Sprintf(", permissions: { publish: { allow: [%s] }, subscribe: { allow: [%q] } }", strings.Join(allowed, ", "), UserInbox(name)+".>")
}

// User returns the role and the name of the user whose credential the access has, empty if it is
// none that AddUser has made.
func (a Access) User() (role Role, name string) {
	if a.NKey == "" {
		return "", ""
	}
	text, err := os.ReadFile(a.NKey)
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
