package server_test

import (
	"context"
	"errors"
	"io"
	"net"
	"path/filepath"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"powderkeg/engine"
	"powderkeg/serve/protocol"
	"powderkeg/serve/server"

	"github.com/prometheus/client_golang/prometheus"
)

// ahead is how many requests a pipelining client sends before it has read the
// response to the first of them.
const ahead = 64

// pipelining sends steps ahead of their responses, until the server says goodbye, counts the responses that were results, and returns the last one
// and how the connection ended.
func pipelining(t *testing.T, conn net.Conn, greeted *sync.WaitGroup, steps *atomic.Int64) (last protocol.Response, end error) {
	w := protocol.NewWriter()
	send := func(id uint64, method string, params any) error {
		return errors.Join(w.Request(id, method, params), w.Flush(conn, 1<<20))
	}
	if err := errors.Join(send(1, protocol.MethodHello, &protocol.Hello{Versions: protocol.Versions}),
		send(2, protocol.MethodVecMake, &protocol.VecMake{Game: "kuhn", Envs: 1}),
		send(3, protocol.MethodVecReset, &protocol.VecReset{Vec: 1, Seed: new(uint64)})); err != nil {
		t.Error(err)
	}
	goodbye, free := make(chan struct{}), make(chan struct{}, ahead)
	stop := sync.OnceFunc(func() { close(goodbye) })
	for range ahead {
		free <- struct{}{}
	}
	var sending sync.WaitGroup
	defer sending.Wait()
	sending.Go(func() {
		for id := uint64(4); ; id++ {
			select {
			case <-free:
			case <-goodbye:
				return
			}
			if send(id, protocol.MethodVecStep, &protocol.VecStep{Vec: 1, Actions: []engine.Action{0}}) != nil {
				return
			}
		}
	})
	buf := []byte(nil)
	for id := uint64(1); ; id++ {
		body, err := protocol.ReadFrame(conn, 1<<20, buf)
		if err != nil {
			stop()
			conn.Close()
			return last, err
		}
		buf = body
		if last, err = protocol.ParseResponse(body); err != nil {
			t.Error(err)
		}
		if last.Error == nil && last.ID != id {
			t.Errorf("response %d, want %d", last.ID, id)
		}
		switch {
		case last.Error == nil && id >= 4:
			steps.Add(1)
			free <- struct{}{}
		case last.ID == 0:
			stop()
		case id == 1:
			greeted.Done()
		}
	}
}

// A server that is told to stop in the middle of many clients' steps answers
// every step that it has played: what clients have read is what it has counted.
func TestShutdownUnderLoadLosesNoStep(t *testing.T) {
	for _, network := range []string{"unix", "tcp"} {
		t.Run(network, func(t *testing.T) {
			reg := prometheus.NewRegistry()
			c := config()
			c.Metrics, c.DrainTimeout = server.NewMetrics(reg), time.Minute // however busy the machine is
			s, err := server.New(c)
			if err != nil {
				t.Fatal(err)
			}
			address := "tcp:127.0.0.1:0"
			if network == "unix" {
				address = "unix:" + filepath.Join(t.TempDir(), "s")
			}
			l, err := s.Listen(address)
			if err != nil {
				t.Fatal(err)
			}
			ctx, stop := context.WithCancel(t.Context())
			served := make(chan error, 1)
			go func() { served <- s.Serve(ctx, l) }()
			var steps atomic.Int64
			var clients, greeted sync.WaitGroup
			const n = 12
			greeted.Add(n)
			for range n {
				conn, err := net.Dial(network, l.Addr().String())
				if err != nil {
					t.Fatal(err)
				}
				clients.Go(func() {
					last, end := pipelining(t, conn, &greeted, &steps)
					// What is sent to a connection while it is closed is answered by a reset.
					over := errors.Is(end, io.EOF) || errors.Is(end, syscall.ECONNRESET)
					if last.ID != 0 || last.Error == nil || last.Error.Code != protocol.CodeShutdown || !over {
						t.Errorf("the last response is %+v and then %v, want a goodbye and the end", last, end)
					}
				})
			}
			greeted.Wait() // a connection that nobody has accepted is not lost
			for begin := time.Now(); steps.Load() < 2000 && time.Since(begin) < 10*time.Second; {
				time.Sleep(time.Millisecond)
			}
			stop()
			if err := <-served; err != nil {
				t.Errorf("Serve returned %v, want nil", err)
			}
			clients.Wait()
			if played := value(t, reg, "powderkeg_serve_decisions_total"); played != float64(steps.Load()) {
				t.Errorf("the server has played %g steps, clients have read %d", played, steps.Load())
			}
		})
	}
}
