//go:build unix

package file

import "syscall"

// withoutWaiting keeps the opening of a named pipe from waiting for a writer.
const withoutWaiting = syscall.O_NONBLOCK
