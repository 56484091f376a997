package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"powderkeg/train/fleet"
)

// cluster is the folder whose files these tests check.
const cluster = "experiments/cluster"

// deployment is what the files say by which a fleet is deployed, by their paths.
type deployment map[string]string

// readDeployment reads those of the repository.
func readDeployment(t *testing.T) deployment {
	t.Helper()
	d := deployment{}
	for _, path := range []string{
		".dockerignore", "go.mod", cluster + "/compose.yaml", cluster + "/Dockerfile", cluster + "/nats.conf", cluster + "/README.md",
		cluster + "/powderkeg-worker.service", cluster + "/kubernetes/powderkeg.yaml", cluster + "/kubernetes/nats-values.yaml",
	} {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		d[path] = string(text)
	}
	return d
}

// faults lists what the files name that is not there, or that the others say differently.
func (d deployment) faults() []string {
	return slices.Concat(d.composeFaults(), d.imageFaults(), d.unitFaults(), d.readmeFaults(), d.kubernetesFaults(), d.valuesFaults())
}

// TestDeploymentFilesAgree: what the command lines in the files of experiments/cluster name is
// mounted, and what is mounted is made by a command that a file shows, or is in the repository.
func TestDeploymentFilesAgree(t *testing.T) {
	for _, fault := range readDeployment(t).faults() {
		t.Error(fault)
	}
}

// TestDeploymentFaultsAreFound: a change that would break a deployment is noticed.
func TestDeploymentFaultsAreFound(t *testing.T) {
	const (
		compose, image, conf = cluster + "/compose.yaml", cluster + "/Dockerfile", cluster + "/nats.conf"
		unit, manifests      = cluster + "/powderkeg-worker.service", cluster + "/kubernetes/powderkeg.yaml"
		values, readme       = cluster + "/kubernetes/nats-values.yaml", cluster + "/README.md"
	)
	for _, c := range []struct{ path, old, new string }{
		{compose, `:/config.yaml:ro`, `:/conf.yaml:ro`},
		{compose, `../configs/jogu/zoo.yaml`, `../configs/jogu/none.yaml`},
		{compose, `"runs:/runs"`, `"runs:/run"`},
		{compose, `"runs:/runs"`, `"run:/runs"`},
		{compose, `secrets: [worker]`, `secrets: [learner]`},
		{compose, `secrets: [learner]`, `secret: [learner]`},
		{compose, `{file: ./users/worker.nk}`, `{file: ./users/alice.nk}`},
		{compose, `user learner --role learner`, `user learner --role worker`},
		{compose, `./users/users.conf:/etc/nats/users.conf:ro`, `./users/users.conf:/etc/users.conf:ro`},
		{compose, `./nats.conf:/etc/nats/nats.conf:ro`, `./broker.conf:/etc/nats/nats.conf:ro`},
		{compose, `BROKER_STORE: /data`, `BROKER_STORE: /store`},
		{compose, `BROKER_NAME: broker`, `NAME: broker`},
		{compose, `nats://broker:4222", "--nkey", "/run/secrets/worker"`, `nats://nats:4222", "--nkey", "/run/secrets/worker"`},
		{compose, `nats://broker:4222", "--nkey", "/run/secrets/worker"`, `nats://broker:4223", "--nkey", "/run/secrets/worker"`},
		{compose, `"--run", "/runs/cluster"`, `"--runs", "/runs/cluster"`},
		{compose, `depends_on: [broker]`, `depends_on: [nats]`},
		{compose, `nats:2.15`, `nats:2.9`},
		{compose, `experiments/cluster/Dockerfile`, `Dockerfile`},
		{conf, `jetstream {`, `leafnodes {`},
		{conf, `max_payload: 1MB`, `max_payload: 64KB`},
		{conf, `include users.conf`, `include user.conf`},
		{conf, `max_memory_store: 2GB`, `max_memory_store: 3GB`},
		{image, `golang:1.26-`, `golang:1.24-`},
		{image, `--uid 1000`, `--uid 1001`},
		{image, `-o powderkeg /runs`, `/runs`},
		{image, `/src/bin/powderkeg`, `/src/powderkeg`},
		{".dockerignore", "**/*.nk\n", ""},
		{unit, `${CREDENTIALS_DIRECTORY}/worker.nk`, `${CREDENTIALS_DIRECTORY}/alice.nk`},
		{unit, `LoadCredential=worker.nk:/etc/powderkeg-worker.nk`, `LoadCredential=worker.nk:/etc/powderkeg/worker.nk`},
		{unit, `EnvironmentFile=/etc/powderkeg-worker`, `EnvironmentFile=/etc/default/powderkeg`},
		{readme, `--nkey alice.nk`, `--key alice.nk`},
		{readme, `user look --role look`, `user look --role looker`},
		{readme, `(kubernetes)`, `(k8s)`},
		{manifests, `{name: config, mountPath: /config}`, `{name: config, mountPath: /configs}`},
		{manifests, `{name: config, mountPath: /config}`, `{name: configs, mountPath: /config}`},
		{manifests, `configmap powderkeg-config`, `configmap config`},
		{manifests, `--from-file=config.yaml=experiments`, `--from-file=zoo.yaml=experiments`},
		{manifests, `configs/jogu/zoo.yaml`, `configs/jogu/none.yaml`},
		{manifests, `secretName: powderkeg-worker`, `secretName: powderkeg-workers`},
		{manifests, `secretName: powderkeg-learner`, `secretName: powderkeg-worker`},
		{manifests, `claimName: powderkeg-runs`, `claimName: runs`},
		{manifests, `mountPath: /runs}`, `mountPath: /runs, readOnly: true}`},
		{manifests, `mountPath: /runs}`, `mountPath: /run}`},
		{manifests, `matchLabels: {app: powderkeg-worker}`, `matchLabels: {app: worker}`},
		{manifests, `--replicas, "3"`, `--replicas, "5"`},
		{manifests, `fsGroup: 1000`, `fsGroup: 100`},
		{manifests, `[worker, "nats://nats:4222"`, `[worker, "nats://broker:4222"`},
		{manifests, `volumeMounts:`, `volumemounts:`},
		{values, `jetstream:
    enabled: true`, `jetstream:
    enabled: false`},
		{values, `memoryStore: {enabled: true`, `memoryStore: {enabled: false`},
		{values, `memoryStore: {enabled: true, maxSize: 2Gi}`, `memStorage: {enabled: true, size: 2Gi}`},
		{values, `maxSize: 2Gi`, `maxSize: 200Mi`},
		{values, `fileStore: {pvc: {size: 2Gi}}`, `fileStore: {pvc: {size: 500Mi}}`},
		{values, `cluster: {enabled: true, replicas: 3}`, `cluster: {enabled: true, replicas: 2}`},
		{values, `cluster: {enabled: true`, `cluster: {enabled: false`},
		{values, `$include: ../powderkeg/users.conf`, `$include: powderkeg/users.conf`},
		{values, `mountPath: /etc/powderkeg`, `mountPath: /powderkeg`},
		{values, `max_payload: << 1MB >>`, `max_payload: << 8MB >>`},
		{values, `configMap: {name: powderkeg-users}`, `configMap: {name: users}`},
		{values, `value: {name: powderkeg-users, configMap`, `value: {name: users, configMap`},
		{values, `/users.conf
#   helm`, `/user.conf
#   helm`},
		{values, `configmap powderkeg-users`, `configmap users`},
		{values, `helm install nats `, `helm install broker `},
		{values, `path: /spec/volumes/-`, `path: /volumes/-`},
		{values, `natsBox: {enabled: false}`, `natsBox: {enabled: true}`},
	} {
		d := readDeployment(t)
		if !strings.Contains(d[c.path], c.old) {
			t.Errorf("%s does not contain %q", c.path, c.old)
			continue
		}
		d[c.path] = strings.Replace(d[c.path], c.old, c.new, 1)
		if d.faults() == nil {
			t.Errorf("%s with %q in the place of %q passes", c.path, c.new, c.old)
		}
	}
}

// comment matches a command that the comment at the beginning of a file shows.
var comment = regexp.MustCompile(`(?m)^#   (\S.*?)(?:  +#.*)?$`)

// shown returns the commands of one program that the comments of a file show, as their arguments.
func (d deployment) shown(path, program string) (list [][]string) {
	for _, m := range comment.FindAllStringSubmatch(d[path], -1) {
		if words := strings.Fields(m[1]); words[0] == program {
			list = append(list, words[1:])
		}
	}
	return list
}

// made returns the roles of the users that the commands shown make, by the paths of their
// credentials, and "" by the paths of the broker's lists of users.
func (d deployment) made(path string) (files map[string]fleet.Role, faults []string) {
	files = map[string]fleet.Role{}
	for _, args := range d.shown(path, "powderkeg") {
		name, dir, role, err := userCommand(args)
		if err != nil {
			faults = append(faults, fmt.Sprintf("%s: %v", path, err))
			continue
		}
		files[filepath.Join(dir, name+".nk")], files[filepath.Join(dir, fleet.UsersFile)] = role, ""
	}
	return files, faults
}

// userCommand reads a command "cluster user".
func userCommand(args []string) (name, dir string, role fleet.Role, err error) {
	c, rest, err := root().Find(args)
	if err == nil {
		err = c.ParseFlags(rest)
	}
	if err == nil {
		err = c.ValidateArgs(c.Flags().Args())
	}
	if err != nil || c.CommandPath() != "powderkeg cluster user" {
		return "", "", "", fmt.Errorf("%q is no command that makes a user: %w", args, err)
	}
	said, err1 := c.Flags().GetString("role")
	dir, err2 := c.Flags().GetString("dir")
	role = fleet.Role(said)
	if role != fleet.RoleLearner && role != fleet.RoleWorker && role != fleet.RoleLook {
		err = fmt.Errorf("%q makes a user of no role", args)
	}
	return c.Flags().Arg(0), dir, role, errors.Join(err, err1, err2)
}

// launch is a command line of powderkeg that a file has a machine run.
type launch struct {
	where    string
	args     []string
	role     fleet.Role // that its user has, "" if the file shows no command that makes the user
	host     string     // of the broker, "" if the environment names it
	writable func(path string) bool
	mounted  func(path string) bool
}

// faults are those of a command line: it is one of powderkeg, its files are mounted, its user may do what it does.
func (l launch) faults() (list []string) {
	fault := func(format string, a ...any) {
		list = append(list, l.where+": "+fmt.Sprintf(format, a...))
	}
	c, rest, err := root().Find(l.args)
	if err == nil {
		err = c.ParseFlags(rest)
	}
	if err == nil {
		err = c.ValidateArgs(c.Flags().Args())
	}
	if err != nil {
		fault("powderkeg %s: %v", strings.Join(l.args, " "), err)
		return list
	}
	if want := map[string]fleet.Role{"train": fleet.RoleLearner, "worker": fleet.RoleWorker}[c.Name()]; want == "" || want != l.role {
		fault("%q is run as a user of the role %q", c.Name(), l.role)
	}
	for _, arg := range l.args {
		if url, is := strings.CutPrefix(arg, "nats://"); is && url != l.host {
			fault("the broker is at %s and not at %s", l.host, url)
		}
		if strings.HasPrefix(arg, "/") && !l.mounted(arg) {
			fault("nothing is mounted that holds %s", arg)
		}
	}
	if run, _ := c.Flags().GetString("run"); c.Name() == "train" && !l.writable(run) {
		fault("the run's folder %s is on no volume that can be written to", run)
	}
	return list
}

// holds reports whether a path is that of a mount, or under it.
func holds(mount, path string) bool { return path == mount || strings.HasPrefix(path, mount+"/") }

// there reports whether the repository has a file, or a command shown makes it.
func there(path string, made map[string]fleet.Role) bool {
	_, err := os.Stat(path)
	_, is := made[path]
	return is || !errors.Is(err, fs.ErrNotExist)
}

// imageFaults are those of the image: it has the compilers and servers of go.mod, a user who may
// write to its volume, and no credential is copied into it.
func (d deployment) imageFaults() (list []string) {
	image, module := d[cluster+"/Dockerfile"], d["go.mod"]
	has := func(text, what string) {
		if !strings.Contains(text, what) {
			list = append(list, fmt.Sprintf("the image or what it ignores has no %q", what))
		}
	}
	for pattern, format := range map[string]string{
		`(?m)^go (\d+\.\d+)`: "FROM golang:%s-",
	} {
		has(image, fmt.Sprintf(format, regexp.MustCompile(pattern).FindStringSubmatch(module)[1]))
	}
	broker := regexp.MustCompile(`nats-server/v2 v(\d+\.\d+)`).FindStringSubmatch(module)[1]
	has(d[cluster+"/compose.yaml"], "image: nats:"+broker+"\n")
	has(image, "--uid 1000 powderkeg && install -d -o powderkeg /runs\n")
	has(image, "COPY --from=build /src/bin/powderkeg /usr/local/bin/powderkeg\n")
	has(image, `ENTRYPOINT ["powderkeg"]`)
	has("\n"+d[".dockerignore"], "\n**/*.nk\n")
	return list
}

// unitFaults are those of systemd's unit: what it loads is what its comment has people write.
func (d deployment) unitFaults() (list []string) {
	const path = cluster + "/powderkeg-worker.service"
	about, unit, _ := strings.Cut(d[path], "[Unit]")
	setting := func(key string) string {
		m := regexp.MustCompile(`(?m)^` + key + `=(.*)$`).FindStringSubmatch(unit)
		if m == nil {
			return ""
		}
		return m[1]
	}
	id, source, _ := strings.Cut(setting("LoadCredential"), ":")
	start := strings.Fields(setting("ExecStart"))
	if len(start) == 0 {
		return []string{path + ": there is no ExecStart"}
	}
	l := launch{where: path, args: start[1:], role: fleet.RoleWorker, mounted: func(string) bool { return false }}
	list = l.faults()
	if !slices.Contains(start, "${CREDENTIALS_DIRECTORY}/"+id) || id == "" {
		list = append(list, fmt.Sprintf("%s: the command line does not use the credential %q", path, id))
	}
	for _, file := range []string{source, setting("EnvironmentFile")} {
		if !regexp.MustCompile(`[ \n#]` + regexp.QuoteMeta(file) + `[ ,\n]`).MatchString(about) {
			list = append(list, fmt.Sprintf("%s: the comment has nobody write %q", path, file))
		}
	}
	if !strings.Contains(about, "POWDERKEG_NATS=nats://") {
		list = append(list, path+": the comment names no broker")
	}
	return list
}

// readmeFaults are those of the page: its command lines are such as the program takes, what it
// links to is there.
func (d deployment) readmeFaults() (list []string) {
	const path = cluster + "/README.md"
	for _, m := range regexp.MustCompile(`(?m)^powderkeg (.*?)(?:\s+#.*)?$`).FindAllStringSubmatch(d[path], -1) {
		args := strings.Fields(strings.ReplaceAll(m[1], "'", ""))
		c, rest, err := root().Find(args)
		if err == nil {
			err = c.ParseFlags(rest)
		}
		if err == nil {
			err = c.ValidateArgs(c.Flags().Args())
		}
		if err == nil && c.CommandPath() == "powderkeg cluster user" {
			_, _, _, err = userCommand(args)
		}
		if err != nil {
			list = append(list, fmt.Sprintf("%s: powderkeg %s: %v", path, m[1], err))
		}
	}
	for _, m := range regexp.MustCompile(`\]\(([^)#:]+)\)`).FindAllStringSubmatch(d[path], -1) {
		if !there(filepath.Join(cluster, m[1]), nil) {
			list = append(list, fmt.Sprintf("%s links to %s, which is not there", path, m[1]))
		}
	}
	return list
}

// TestTheUnitIsOneOfSystemd: systemd has no fault to find in it, where it is installed.
func TestTheUnitIsOneOfSystemd(t *testing.T) {
	text := readDeployment(t)[cluster+"/powderkeg-worker.service"]
	analyze, err := exec.LookPath("systemd-analyze")
	if err != nil {
		return
	}
	own, err := os.Executable() // since the program is not installed here
	if err != nil {
		t.Fatal(err)
	}
	unit := filepath.Join(t.TempDir(), "powderkeg-worker.service")
	if err := os.WriteFile(unit, []byte(strings.Replace(text, "/usr/local/bin/powderkeg", own, 1)), 0o666); err != nil {
		t.Fatal(err)
	}
	out, err := exec.CommandContext(t.Context(), analyze, "verify", "--man=no", unit).CombinedOutput()
	if err != nil || strings.Contains(string(out), unit+":") {
		t.Errorf("systemd-analyze: %v\n%s", err, out)
	}
}
