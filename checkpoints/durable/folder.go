package durable

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"powderkeg/engine/option"
	"powderkeg/env/file"
)

// LockName is the file in a folder by which one process keeps others from writing there.
const LockName = ".lock"

// ErrInUse is wrapped by errors about what another process is writing.
var ErrInUse = errors.New("in use")

// owner is what a lock's file says of the process that holds it, from its second byte on: where
// locks are mandatory nobody else can read the first.
type owner struct {
	Process int       `json:"process"`
	Host    string    `json:"host"`
	Since   time.Time `json:"since"`
}

// ownerAt is the place of the owner in the file.
const ownerAt = 1

// Lock makes the folder and keeps other processes from locking it until release is called, or
// this process ends in whatever way. What is that folder called, such as "run folder"? Errors
// wrap ErrInUse where another has it, and name that one.
func Lock(dir, what string) (release func() error, err error) {
	if err := file.MakeFolder(dir); err != nil {
		return nil, err
	}
	return LockFile(filepath.Join(dir, LockName), what+" "+dir)
}

// LockFile is Lock by a file, for what is no whole folder. The file is there as long as the
// lock is held, and after a kill.
func LockFile(path, what string) (release func() error, err error) {
	for {
		if f, err := file.Open(path); err == nil {
			_ = f.Close() // of a reader
		} else if !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		l := flock.New(path, flock.SetPermissions(0o644)) // so that other users can ask who holds it
		held, err := l.TryLock()
		switch {
		case errors.Is(err, errors.ErrUnsupported):
			return func() error { return nil }, nil
		case err != nil:
			return nil, errors.Join(err, l.Close())
		case !held:
			return nil, errors.Join(fmt.Errorf("%s is %w by %s", what, ErrInUse, ownerOf(path)), l.Close())
		}
		// Between its opening and its locking the file may have been removed by its owner.
		own, err := l.Stat()
		if there, fault := os.Stat(path); err == nil && fault == nil && os.SameFile(own, there) {
			if err := sign(path); err != nil {
				return nil, errors.Join(err, l.Close())
			}
			return func() error {
				// In this order nobody finds a file without a lock that is to go. Some systems
				// remove no file that is open; it may stay.
				_ = os.Remove(path)
				return l.Close()
			}, nil
		}
		if err := errors.Join(err, l.Close()); err != nil {
			return nil, err
		}
	}
}

// sign writes this process into its lock.
func sign(path string) error {
	host, err := os.Hostname()
	if err != nil {
		host = "this host"
	}
	text, err := json.Marshal(owner{os.Getpid(), host, time.Now().UTC().Truncate(time.Second)})
	if err != nil {
		return err
	}
	f, err := file.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	// What an earlier owner has left is longer, perhaps.
	err = f.Truncate(ownerAt)
	if err == nil {
		_, err = f.WriteAt(text, ownerAt)
	}
	return errors.Join(err, f.Close())
}

// ownerOf says who holds a lock.
func ownerOf(path string) string {
	const unknown = "another process"
	f, err := file.Open(path)
	if err != nil {
		return unknown
	}
	defer f.Close()
	text := make([]byte, 1<<10)
	n, _ := f.ReadAt(text, ownerAt) // of a short file, with io.EOF
	var o owner
	if err := json.Unmarshal(text[:n], &o); err != nil || o.Process == 0 {
		return unknown
	}
	return fmt.Sprintf("process %d on host %s since %s", o.Process, option.Shorten(strings.ToValidUTF8(o.Host, "?")), o.Since.Format(time.RFC3339))
}

// Claim refuses a folder with anything in it unless one of its entries is among own, the names
// of files that tell whose it is. What says what it should hold, such as "dataset". Errors wrap
// option.ErrUsage.
func Claim(dir, what string, own ...string) error {
	if err := file.CheckFolder(dir); err != nil {
		return err
	}
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return option.Wrong(err)
	}
	foreign := ""
	for _, e := range entries {
		switch name := e.Name(); {
		case slices.Contains(own, name):
			return nil
		case strings.HasSuffix(name, LockName) || strings.HasSuffix(name, Suffix) || foreign != "":
		default:
			foreign = name
		}
	}
	if foreign == "" {
		return nil
	}
	return fmt.Errorf("%w: %s is not empty and holds no %s (%s is in it); choose another folder", option.ErrUsage, dir, what, foreign)
}
