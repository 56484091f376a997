package main

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/nats-io/nats-server/v2/server"

	"powderkeg/train/fleet"
)

// manifest is one of Kubernetes, of the kinds and keys in use here. Others are refused.
type manifest struct {
	APIVersion string `yaml:"apiVersion"`
	Kind       string
	Metadata   metadata
	Spec       struct {
		AccessModes  []string `yaml:"accessModes"`
		Resources    resources
		BackoffLimit int `yaml:"backoffLimit"`
		Replicas     int
		Selector     struct {
			MatchLabels map[string]string `yaml:"matchLabels"`
		}
		Template struct {
			Metadata metadata
			Spec     pod
		}
	}
}

type metadata struct {
	Name   string
	Labels map[string]string
}

type resources struct{ Requests, Limits map[string]string }

type pod struct {
	RestartPolicy                 string `yaml:"restartPolicy"`
	TerminationGracePeriodSeconds int    `yaml:"terminationGracePeriodSeconds"`
	SecurityContext               struct {
		RunAsUser int `yaml:"runAsUser"`
		FSGroup   int `yaml:"fsGroup"`
	} `yaml:"securityContext"`
	Containers []struct {
		Name, Image  string
		Args         []string
		Resources    resources
		VolumeMounts []podMount `yaml:"volumeMounts"`
	}
	Volumes []podVolume
}

type podMount struct {
	Name      string
	MountPath string `yaml:"mountPath"`
	ReadOnly  bool   `yaml:"readOnly"`
}

type podVolume struct {
	Name                  string
	PersistentVolumeClaim *struct {
		ClaimName string `yaml:"claimName"`
	} `yaml:"persistentVolumeClaim"`
	ConfigMap *struct{ Name string } `yaml:"configMap"`
	Secret    *struct {
		SecretName string `yaml:"secretName"`
	}
}

// created returns the config maps and secrets that the commands shown create: the files of which
// they are made, by "configmap NAME/KEY" or "secret NAME/KEY".
func (d deployment) created(file string) map[string]string {
	made := map[string]string{}
	for _, args := range d.shown(file, "kubectl") {
		if len(args) < 4 || args[0] != "create" {
			continue
		}
		kind, rest := args[1], args[2:]
		if kind == "secret" {
			rest = args[3:] // "generic" stands before the name
		}
		for _, flag := range rest[1:] {
			from := strings.TrimPrefix(flag, "--from-file=")
			key, source, named := strings.Cut(from, "=")
			if !named {
				key, source = path.Base(from), from
			}
			made[kind+" "+rest[0]+"/"+key] = source
		}
	}
	return made
}

// kubernetesFaults are those of powderkeg.yaml.
func (d deployment) kubernetesFaults() []string {
	const where = cluster + "/kubernetes/powderkeg.yaml"
	users, list := d.made(where)
	fault := func(format string, a ...any) { list = append(list, where+": "+fmt.Sprintf(format, a...)) }
	created := d.created(where)
	for what, source := range created {
		if !there(source, users) {
			fault("%s is made of %s, which nothing makes", what, source)
		}
	}
	launches := 0
	for document := range strings.SplitSeq(d[where], "\n---\n") {
		var m manifest
		if err := yaml.UnmarshalWithOptions([]byte(document), &m, yaml.DisallowUnknownField()); err != nil {
			fault("%v", err)
			continue
		}
		if m.Kind == "PersistentVolumeClaim" {
			created["claim "+m.Metadata.Name] = ""
			continue
		}
		if m.Kind == "Deployment" && !reflect.DeepEqual(m.Spec.Selector.MatchLabels, m.Spec.Template.Metadata.Labels) {
			fault("%s selects %v of pods with %v", m.Metadata.Name, m.Spec.Selector.MatchLabels, m.Spec.Template.Metadata.Labels)
		}
		launches += len(m.Spec.Template.Spec.Containers)
		list = append(list, d.podFaults(where, m.Spec.Template.Spec, created, users)...)
	}
	if launches != 2 {
		fault("there are %d containers, a learner and a worker are two", launches)
	}
	return list
}

// podFaults are those of a pod.
func (d deployment) podFaults(where string, p pod, created map[string]string, users map[string]fleet.Role) (list []string) {
	sources := map[string]string{} // what is in a volume, without a key, by the volume's name
	for _, v := range p.Volumes {
		switch {
		case v.PersistentVolumeClaim != nil:
			sources[v.Name] = "claim " + v.PersistentVolumeClaim.ClaimName
		case v.ConfigMap != nil:
			sources[v.Name] = "configmap " + v.ConfigMap.Name
		case v.Secret != nil:
			sources[v.Name] = "secret " + v.Secret.SecretName
		}
	}
	for _, c := range p.Containers {
		l := launch{where: where + " " + c.Name, args: c.Args, host: d.release() + ":" + d.port()}
		for _, m := range c.VolumeMounts {
			for what, source := range created {
				if holds(sources[m.Name], what) && strings.HasPrefix(what, "secret ") {
					l.role = users[source]
				}
			}
			if sources[m.Name] == "" {
				list = append(list, fmt.Sprintf("%s: %s is mounted and no volume", l.where, m.Name))
			}
		}
		l.mounted = func(file string) bool {
			return slices.ContainsFunc(c.VolumeMounts, func(m podMount) bool {
				what := sources[m.Name]
				if !strings.HasPrefix(what, "claim ") {
					what += strings.TrimPrefix(file, m.MountPath)
				}
				_, is := created[what]
				return holds(m.MountPath, file) && is
			})
		}
		l.writable = func(file string) bool {
			return p.SecurityContext.RunAsUser == 1000 && p.SecurityContext.FSGroup == 1000 && slices.ContainsFunc(c.VolumeMounts, func(m podMount) bool {
				return holds(m.MountPath, file) && !m.ReadOnly && strings.HasPrefix(sources[m.Name], "claim ")
			})
		}
		list = append(list, l.faults()...)
		if i := slices.Index(c.Args, "--replicas"); i >= 0 && c.Args[i+1] != d.replicas() {
			list = append(list, fmt.Sprintf("%s: --replicas is %s, there are %s brokers", l.where, c.Args[i+1], d.replicas()))
		}
	}
	return list
}

// chart is the values of NATS's chart (1.x) in use here, with its defaults by readChart. Keys that
// are none of these are refused: the chart would pass over them.
type chart struct {
	Config struct {
		Cluster struct {
			Enabled  bool
			Replicas int
		}
		JetStream struct {
			Enabled     bool
			MemoryStore struct {
				Enabled bool
				MaxSize string `yaml:"maxSize"`
			} `yaml:"memoryStore"`
			FileStore struct{ PVC struct{ Size string } } `yaml:"fileStore"`
		}
		Merge map[string]string
	}
	Container struct {
		Env   map[string]string
		Patch []struct {
			Op, Path string
			Value    podMount
		}
	}
	PodTemplate struct {
		Patch []struct {
			Op, Path string
			Value    podVolume
		}
	} `yaml:"podTemplate"`
	NATSBox struct{ Enabled bool } `yaml:"natsBox"`
}

const valuesFile = cluster + "/kubernetes/nats-values.yaml"

func (d deployment) chart() (chart, error) {
	var c chart
	c.NATSBox.Enabled = true
	c.Config.JetStream.MemoryStore.MaxSize, c.Config.JetStream.FileStore.PVC.Size = "1Gi", "10Gi"
	err := yaml.UnmarshalWithOptions([]byte(d[valuesFile]), &c, yaml.DisallowUnknownField())
	return c, err
}

// replicas is how many brokers the chart makes.
func (d deployment) replicas() string {
	c, err := d.chart()
	if err != nil || !c.Config.Cluster.Enabled {
		return "1"
	}
	return fmt.Sprint(c.Config.Cluster.Replicas)
}

// release is the name that the chart is installed under, by which its service is found.
func (d deployment) release() string {
	for _, args := range d.shown(valuesFile, "helm") {
		if len(args) == 5 && args[0] == "install" && args[2] == "nats/nats" && args[4] == valuesFile {
			return args[1]
		}
	}
	return ""
}

// valuesFaults are those of the values of NATS's chart: the broker that it makes of them lets the
// same users do the same, and holds as much, as one by nats.conf.
func (d deployment) valuesFaults() (list []string) {
	fault := func(format string, a ...any) { list = append(list, valuesFile+": "+fmt.Sprintf(format, a...)) }
	c, err := d.chart()
	if err != nil {
		fault("%v", err)
		return list
	}
	if c.NATSBox.Enabled {
		fault("nats-box has no credential, and is enabled")
	}
	users, _ := d.made(cluster + "/kubernetes/powderkeg.yaml")
	mounts := map[string]string{} // where the config maps are, by their keys
	for _, v := range c.PodTemplate.Patch {
		for _, m := range c.Container.Patch {
			if v.Value.ConfigMap == nil || v.Value.Name != m.Value.Name || v.Op != "add" || m.Op != "add" || v.Path != "/spec/volumes/-" ||
				m.Path != "/volumeMounts/-" {
				continue
			}
			for what, source := range d.created(valuesFile) {
				if _, is := users[source]; is && holds("configmap "+v.Value.ConfigMap.Name, what) {
					mounts[path.Join(m.Value.MountPath, path.Base(what))] = source
				}
			}
		}
	}
	// The chart's reloader watches what is mounted under /etc, and no more.
	include := path.Join("/etc/nats-config", c.Config.Merge["$include"])
	if mounts[include] == "" || !strings.HasPrefix(include, "/etc/") {
		fault("nothing makes %s, which is included", include)
		return list
	}
	dir, err := os.MkdirTemp("", "powderkeg")
	if err != nil {
		fault("%v", err)
		return list
	}
	defer os.RemoveAll(dir)
	one, err := d.broker(filepath.Join(dir, "conf"), d[cluster+"/nats.conf"], "users.conf")
	if err != nil {
		fault("nats.conf: %v", err)
		return list
	}
	other, err := d.broker(filepath.Join(dir, "conf"), c.configuration(include), include)
	if err != nil {
		fault("%v", err)
		return list
	}
	if !one.JetStream || !other.JetStream || one.MaxPayload != 1<<20 || other.MaxPayload != 1<<20 {
		fault("JetStream is on: %v, %v; the largest message has %d and %d bytes, like that of fleet.Embed it should be of 1 MiB",
			one.JetStream, other.JetStream, one.MaxPayload, other.MaxPayload)
	}
	if one.JetStreamMaxMemory > other.JetStreamMaxMemory || one.JetStreamMaxStore > other.JetStreamMaxStore {
		fault("it keeps %d bytes in memory and %d in files, nats.conf %d and %d",
			other.JetStreamMaxMemory, other.JetStreamMaxStore, one.JetStreamMaxMemory, one.JetStreamMaxStore)
	}
	if len(one.Nkeys) != 3 || !reflect.DeepEqual(permissions(one), permissions(other)) {
		fault("users may do %v, by nats.conf %v", permissions(other), permissions(one))
	}
	return list
}

// configuration is what the chart makes of its values.
func (c chart) configuration(include string) string {
	size := func(text string) string { return strings.NewReplacer("Gi", "GB", "Mi", "MB").Replace(text) }
	text := "server_name: nats-0\nlisten: 0.0.0.0:4222\n"
	if c.Config.JetStream.Enabled {
		memory := "0"
		if c.Config.JetStream.MemoryStore.Enabled {
			memory = size(c.Config.JetStream.MemoryStore.MaxSize)
		}
		text += fmt.Sprintf("jetstream { store_dir: /data, max_memory_store: %s, max_file_store: %s }\n", memory,
			size(c.Config.JetStream.FileStore.PVC.Size))
	}
	for key, value := range c.Config.Merge {
		if key == "$include" {
			text += "include " + include + "\n"
			continue
		}
		text += key + ": " + regexp.MustCompile(`^<< (.*) >>$`).ReplaceAllString(value, "$1") + "\n"
	}
	return text
}

// broker reads the configuration of one, with users of each role in what it includes.
func (d deployment) broker(dir, text, include string) (*server.Options, error) {
	for _, role := range []fleet.Role{fleet.RoleLearner, fleet.RoleLook, fleet.RoleWorker} {
		if _, err := os.Stat(filepath.Join(dir, string(role)+".nk")); err == nil {
			continue // both brokers have the same
		}
		if _, err := fleet.AddUser(dir, string(role), role); err != nil {
			return nil, err
		}
	}
	conf := filepath.Join(dir, "nats.conf")
	if !strings.Contains(text, "include "+include+"\n") {
		return nil, fmt.Errorf("%s is not included", include)
	}
	text = strings.NewReplacer("include "+include+"\n", "include "+fleet.UsersFile+"\n", "$BROKER_NAME", "broker", "$BROKER_STORE",
		"/data").Replace(text)
	if err := os.WriteFile(conf, []byte(text), 0o666); err != nil {
		return nil, err
	}
	o, err := server.ProcessConfigFile(conf)
	if err == nil && o.MaxPayload == 0 {
		o.MaxPayload = server.MAX_PAYLOAD_SIZE
	}
	return o, err
}

// permissions are those of the users of a broker, by their public keys.
func permissions(o *server.Options) map[string]server.Permissions {
	list := map[string]server.Permissions{}
	for _, u := range o.Nkeys {
		list[u.Nkey] = server.Permissions{}
		if u.Permissions != nil {
			list[u.Nkey] = *u.Permissions
		}
	}
	return list
}
