package fleet

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"runtime"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"powderkeg/engine/enginetest/soak"
)

// A lab is a network of machines as far as their networks go: each is a namespace with an
// address of its own, whose packets all pass through a switch in this process, which can lose,
// delay, pace and cut them. Namespaces end with the test, however it ends: nothing but its
// threads, processes and open devices holds them.
type lab struct {
	t     *testing.T
	mu    sync.Mutex
	ports map[byte]*machine // by the last number of the address
	links map[[2]byte]*link // from one machine to another
	group sync.WaitGroup
}

// machine is one in a lab.
type machine struct {
	lab    *lab
	number byte
	device *os.File
	do     chan func() // run on a thread inside
}

// link is the way from one machine to another, perfect at zero.
type link struct {
	cut   bool
	loss  float64       // share of the packets
	delay time.Duration // one way
	rate  int           // bytes a second, 0 for no bound
	queue chan packet   // packets under way, where they take time
	free  time.Time     // when the last of them has left
}

type packet struct {
	data []byte
	due  time.Time
}

// queued is how many packets a link holds before it drops more.
const queued = 256

// mtu of every device.
const mtu = 1500

// newLab makes a lab without machines, or skips the test where the system allows none. Since
// its tests wait for processes, whose times other work draws out, they are for machines that
// have nothing else to do: make faults.
func newLab(t *testing.T) *lab {
	t.Helper()
	if os.Getenv("POWDERKEG_FAULTS") == "" && !soak.On() {
		t.Skip("processes in network namespaces: make faults (POWDERKEG_FAULTS=1), or make soak")
	}
	if os.Geteuid() != 0 {
		t.Skip("network namespaces want root")
	}
	l := &lab{t: t, ports: map[byte]*machine{}, links: map[[2]byte]*link{}}
	t.Cleanup(l.close)
	return l
}

func (l *lab) close() {
	l.mu.Lock()
	for _, m := range l.ports {
		close(m.do)
		_ = m.device.Close()
	}
	for _, k := range l.links {
		if k.queue != nil {
			close(k.queue)
			k.cut = true
		}
	}
	l.ports, l.links = nil, nil
	l.mu.Unlock()
	l.group.Wait()
}

// add adds a machine with the address 10.77.0.number. With disk there is a file system of so
// many bytes at the directory disk, for its processes alone.
func (l *lab) add(number byte, disk string, size int) *machine {
	l.t.Helper()
	m := &machine{lab: l, number: number, do: make(chan func())}
	ready := make(chan error)
	go func() {
		// The thread stays in the namespace, and ends with this goroutine.
		runtime.LockOSThread()
		ready <- m.enter(disk, size)
		for f := range m.do {
			f()
		}
	}()
	if err := <-ready; err != nil {
		close(m.do)
		if errors.Is(err, unix.EPERM) || errors.Is(err, unix.ENOENT) || errors.Is(err, unix.ENODEV) || errors.Is(err, unix.ENOSYS) {
			l.t.Skipf("no network namespaces with devices of their own: %v", err)
		}
		l.t.Fatal(err)
	}
	l.mu.Lock()
	l.ports[number] = m
	l.mu.Unlock()
	l.group.Go(m.read)
	return m
}

// enter makes the namespace and its device; the calling thread is in it from now on.
func (m *machine) enter(disk string, size int) error {
	flags := unix.CLONE_NEWNET
	if disk != "" {
		flags |= unix.CLONE_NEWNS
	}
	if err := unix.Unshare(flags); err != nil {
		return fmt.Errorf("unshare: %w", err)
	}
	if disk != "" {
		if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
			return fmt.Errorf("mount: %w", err)
		}
		if err := unix.Mount("tmpfs", disk, "tmpfs", 0, fmt.Sprintf("size=%d", size)); err != nil {
			return fmt.Errorf("mount: %w", err)
		}
	}
	fd, err := unix.Open("/dev/net/tun", unix.O_RDWR|unix.O_CLOEXEC|unix.O_NONBLOCK, 0)
	if err != nil {
		return fmt.Errorf("/dev/net/tun: %w", err)
	}
	tun, err := unix.NewIfreq("pk0")
	if err != nil {
		return err
	}
	tun.SetUint16(unix.IFF_TUN | unix.IFF_NO_PI)
	if err := unix.IoctlIfreq(fd, unix.TUNSETIFF, tun); err != nil {
		return fmt.Errorf("tun: %w", err)
	}
	m.device = os.NewFile(uintptr(fd), "tun")
	socket, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(socket)
	for _, set := range []struct {
		device  string
		request uint
		value   func(*unix.Ifreq) error
	}{
		{"pk0", unix.SIOCSIFADDR, func(r *unix.Ifreq) error { return r.SetInet4Addr(net.IPv4(10, 77, 0, m.number).To4()) }},
		{"pk0", unix.SIOCSIFNETMASK, func(r *unix.Ifreq) error { return r.SetInet4Addr([]byte{255, 255, 255, 0}) }},
		{"pk0", unix.SIOCSIFMTU, func(r *unix.Ifreq) error { r.SetUint32(mtu); return nil }},
		{"pk0", unix.SIOCSIFFLAGS, func(r *unix.Ifreq) error { r.SetUint16(unix.IFF_UP | unix.IFF_RUNNING); return nil }},
		{"lo", unix.SIOCSIFFLAGS, func(r *unix.Ifreq) error { r.SetUint16(unix.IFF_UP | unix.IFF_RUNNING); return nil }},
	} {
		r, err := unix.NewIfreq(set.device)
		if err == nil {
			err = set.value(r)
		}
		if err == nil {
			err = unix.IoctlIfreq(socket, set.request, r)
		}
		if err != nil {
			return fmt.Errorf("device %s: %w", set.device, err)
		}
	}
	return nil
}

// inside runs f on a thread of the machine, whose processes and sockets are the machine's.
func (m *machine) inside(f func() error) error {
	done := make(chan error)
	m.do <- func() { done <- f() }
	return <-done
}

func (m *machine) addr() string { return fmt.Sprintf("10.77.0.%d", m.number) }

// read passes on what the machine sends, until its device is closed.
func (m *machine) read() {
	b := make([]byte, mtu)
	for {
		n, err := m.device.Read(b)
		if err != nil {
			return
		}
		if n >= 20 && b[0]>>4 == 4 && binary.BigEndian.Uint32(b[16:])>>8 == 10<<16|77<<8 {
			m.lab.forward(m.number, b[19], b[:n])
		}
	}
}

// forward takes a packet from one machine to another.
func (l *lab) forward(from, to byte, data []byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	other, k := l.ports[to], l.links[[2]byte{from, to}]
	if other == nil {
		return
	}
	if k == nil {
		_, _ = other.device.Write(data) // or it is lost, as packets may be
		return
	}
	if k.cut || k.loss > 0 && rand.Float64() < k.loss {
		return
	}
	due := time.Now()
	if k.rate > 0 {
		if k.free.Before(due) {
			k.free = due
		}
		k.free = k.free.Add(time.Duration(len(data)) * time.Second / time.Duration(k.rate))
		due = k.free
	}
	select {
	case k.queue <- packet{append([]byte{}, data...), due.Add(k.delay)}:
	default: // full
	}
}

// set changes the ways between two machines, both of them.
func (l *lab) set(a, b *machine, change func(*link)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, way := range [][2]*machine{{a, b}, {b, a}} {
		key := [2]byte{way[0].number, way[1].number}
		k := l.links[key]
		if k == nil {
			k = &link{queue: make(chan packet, queued)}
			l.links[key] = k
			l.group.Go(func() {
				for p := range k.queue {
					time.Sleep(time.Until(p.due))
					_, _ = way[1].device.Write(p.data) // or it is lost
				}
			})
		}
		change(k)
	}
}

// cut cuts machines off from all others, or joins them again.
func (l *lab) cut(off bool, list ...*machine) {
	among := map[byte]bool{}
	for _, m := range list {
		among[m.number] = true
	}
	for _, other := range l.all() {
		for _, m := range list {
			if !among[other.number] {
				l.set(m, other, func(k *link) { k.cut = off })
			}
		}
	}
}

// heal joins all machines again.
func (l *lab) heal() {
	for _, m := range l.all() {
		l.cut(false, m)
	}
}

func (l *lab) all() (list []*machine) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, m := range l.ports {
		list = append(list, m)
	}
	return list
}

// TestTheLabIsANetwork: packets get through with the delay and at the rate of their link, or
// not at all.
func TestTheLabIsANetwork(t *testing.T) {
	l := newLab(t)
	a, b := l.add(1, "", 0), l.add(2, "", 0)
	var server net.PacketConn
	if err := a.inside(func() (err error) { server, err = net.ListenPacket("udp4", a.addr()+":7"); return err }); err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	go func() { // echoes
		data := make([]byte, mtu)
		for {
			n, from, err := server.ReadFrom(data)
			if err != nil {
				return
			}
			_, _ = server.WriteTo(data[:n], from)
		}
	}()
	var conn net.Conn
	if err := b.inside(func() (err error) { conn, err = net.Dial("udp4", a.addr()+":7"); return err }); err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	data := make([]byte, 1000)
	echo := func(patience time.Duration) (time.Duration, error) {
		begin := time.Now()
		if _, err := conn.Write(data); err != nil {
			return 0, err
		}
		_ = conn.SetReadDeadline(begin.Add(patience))
		_, err := conn.Read(data)
		return time.Since(begin), err
	}
	if _, err := echo(patiently); err != nil {
		t.Fatalf("on a perfect link: %v", err)
	}
	l.set(a, b, func(k *link) { k.delay = 50 * time.Millisecond })
	if d, err := echo(patiently); err != nil || d < 100*time.Millisecond {
		t.Errorf("with 50 ms each way an echo takes %v, error %v", d, err)
	}
	l.set(a, b, func(k *link) { k.delay, k.rate = 0, 10_000 })
	if d, err := echo(patiently); err != nil || d < 200*time.Millisecond {
		t.Errorf("1 kB at 10 kB/s each way takes %v, error %v", d, err)
	}
	l.cut(true, a)
	if d, err := echo(100 * time.Millisecond); err == nil {
		t.Errorf("cut off, an echo takes %v", d)
	}
	l.cut(false, a)
	l.set(a, b, func(k *link) { k.rate, k.loss = 0, 0.5 })
	lost := 0
	for range 40 {
		if _, err := echo(50 * time.Millisecond); err != nil {
			lost++
		}
	}
	if lost < 10 || lost == 40 {
		t.Errorf("%d echoes of 40 are lost where 30 should be", lost)
	}
}
