package serve_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"powderkeg/serve/client"
	"powderkeg/serve/protocol"
)

// A process that gets SIGTERM while many clients play answers or says goodbye to
// each of them, and ends with code 0 and its socket gone.
func TestSIGTERMUnderLoad(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "s")
	command := exec.Command(self, "serve", "--until-eof", "--listen", "unix:"+path)
	in, err := command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	command.Stderr = os.Stderr
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	const clients = 16
	var steps atomic.Int64
	var playing sync.WaitGroup
	for range clients {
		c := patiently(t, "unix:"+path)
		playing.Go(func() {
			defer c.Close()
			e, err := c.MakeEnv(t.Context(), &protocol.EnvMake{Game: "connect4"})
			for ; err == nil; steps.Add(1) {
				if step := &e.Made.Step; step.Terminated {
					err = e.Reset(t.Context(), nil, step)
				} else {
					err = e.Step(t.Context(), protocol.ByNumber(slices.Index(step.Mask, 1)), step)
				}
			}
			var fault *protocol.Error
			if !errors.As(err, &fault) || fault.Code != protocol.CodeShutdown {
				t.Errorf("a client's last answer is %v, want %s", err, protocol.CodeShutdown)
			}
		})
	}
	for begin := time.Now(); steps.Load() < 1000 && time.Since(begin) < 20*time.Second; {
		time.Sleep(time.Millisecond)
	}
	if err := command.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := command.Wait(); err != nil {
		t.Errorf("the server ended with %v, want code 0", err)
	}
	playing.Wait()
	if _, err := os.Stat(path); !os.IsNotExist(err) {
		t.Errorf("the socket is still there (%v)", err)
	}
}

// patiently dials a server that is starting.
func patiently(t *testing.T, address string) *client.Client {
	t.Helper()
	for begin := time.Now(); ; time.Sleep(5 * time.Millisecond) {
		c, err := client.Dial(t.Context(), address)
		if err == nil {
			return c
		}
		if time.Since(begin) > 20*time.Second {
			t.Fatal(err)
		}
	}
}
