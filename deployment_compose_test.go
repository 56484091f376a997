package main

import (
	"fmt"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
)

// composeFile is a file of docker compose, of the keys in use here. Others are refused.
type composeFile struct {
	Services map[string]composeService
	Secrets  map[string]struct{ File string }
	Volumes  map[string]*struct{}
}

type composeService struct {
	Image                   string
	Build                   *struct{ Context, Dockerfile string }
	Command                 []string
	Environment             map[string]string
	Volumes, Secrets, Ports []string
	DependsOn               []string `yaml:"depends_on"`
	Restart                 string
	StopGracePeriod         string `yaml:"stop_grace_period"`
}

// volume is something mounted: a file of the host, or a volume by its name.
type volume struct {
	source, target string
	readOnly       bool
}

// volumes reads the mounts of a service, with the defaults of their variables.
func (s composeService) volumes() (list []volume) {
	for _, text := range s.Volumes {
		text = regexp.MustCompile(`\$\{\w+:-([^}]*)\}`).ReplaceAllString(text, "$1")
		parts := append(strings.Split(text, ":"), "", "")
		list = append(list, volume{parts[0], parts[1], parts[2] == "ro"})
	}
	return list
}

// composeFaults are those of compose.yaml, and of nats.conf where it is the broker's.
func (d deployment) composeFaults() (list []string) {
	const where = cluster + "/compose.yaml"
	var f composeFile
	if err := yaml.UnmarshalWithOptions([]byte(d[where]), &f, yaml.DisallowUnknownField()); err != nil {
		return []string{fmt.Sprintf("%s: %v", where, err)}
	}
	made, list := d.made(where)
	fault := func(format string, a ...any) { list = append(list, where+": "+fmt.Sprintf(format, a...)) }
	for name, secret := range f.Secrets {
		if !there(filepath.Join(cluster, secret.File), made) {
			fault("nothing makes the secret %s, %s", name, secret.File)
		}
	}
	commands := 0
	for name, s := range f.Services {
		for _, other := range s.DependsOn {
			if _, is := f.Services[other]; !is {
				fault("%s depends on %s, which is no service", name, other)
			}
		}
		for _, v := range s.volumes() {
			if _, named := f.Volumes[v.source]; !named && (!strings.HasPrefix(v.source, ".") || !there(filepath.Join(cluster, v.source), made)) {
				fault("%s mounts %s, which nothing makes", name, v.source)
			}
		}
		if s.Build != nil && !there(filepath.Join(cluster, s.Build.Context, s.Build.Dockerfile), nil) {
			fault("%s is built by %s, which is not there", name, s.Build.Dockerfile)
		}
		if s.Image == "powderkeg" {
			commands++
			l := launch{where: where + " " + name, args: s.Command, host: "broker:" + d.port()}
			l.mounted = func(path string) bool {
				return slices.ContainsFunc(s.volumes(), func(v volume) bool { return holds(v.target, path) }) ||
					slices.ContainsFunc(s.Secrets, func(secret string) bool { return path == "/run/secrets/"+secret })
			}
			l.writable = func(path string) bool {
				return slices.ContainsFunc(s.volumes(), func(v volume) bool { return holds(v.target, path) && !v.readOnly })
			}
			for _, secret := range s.Secrets {
				l.role = made[filepath.Join(cluster, f.Secrets[secret].File)]
			}
			list = append(list, l.faults()...)
		}
	}
	if commands != 2 {
		fault("there are %d services of powderkeg, a learner and workers are two", commands)
	}
	return append(list, d.brokerFaults(f.Services["broker"])...)
}

// port is the one that nats.conf listens on.
func (d deployment) port() string {
	m := regexp.MustCompile(`(?m)^listen: .*:(\d+)$`).FindStringSubmatch(d[cluster+"/nats.conf"])
	if m == nil {
		return ""
	}
	return m[1]
}

// brokerFaults are those of the broker: what nats.conf names is mounted and in the environment.
func (d deployment) brokerFaults(s composeService) (list []string) {
	fault := func(format string, a ...any) {
		list = append(list, cluster+"/compose.yaml broker: "+fmt.Sprintf(format, a...))
	}
	conf := d[cluster+"/nats.conf"]
	if len(s.Command) != 2 || s.Command[0] != "-c" {
		fault("the command line is %q", s.Command)
		return list
	}
	mounts := map[string]string{} // sources by targets
	for _, v := range s.volumes() {
		mounts[v.target] = v.source
	}
	if source := mounts[s.Command[1]]; source != "./nats.conf" {
		fault("its configuration is %q", source)
	}
	for _, m := range regexp.MustCompile(`(?m)^include (.*)$`).FindAllStringSubmatch(conf, -1) {
		if source := mounts[path.Join(path.Dir(s.Command[1]), m[1])]; path.Base(source) != "users.conf" {
			fault("%s, which nats.conf includes, is not mounted beside it", m[1])
		}
	}
	for _, m := range regexp.MustCompile(`(?m)^[^#\n]*\$(\w+)`).FindAllStringSubmatch(conf, -1) {
		value := s.Environment[m[1]]
		if _, stored := mounts[value]; value == "" || strings.HasPrefix(value, "/") && !stored {
			fault("%s, which nats.conf names, is %q", m[1], value)
		}
	}
	if !slices.Contains(s.Ports, d.port()+":"+d.port()) {
		fault("the port %s is not one of %q", d.port(), s.Ports)
	}
	return list
}
