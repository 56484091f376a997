// Command inprocess is the C shared library of the environments, which Python calls in its own
// process:
//
//	go build -buildmode=c-shared -tags library,zoofiles -o libpowderkeg.so ./serve/inprocess
//
// README.md describes its functions, powderkeg.h declares them. Exports.go is all of it that
// knows C: it turns pointers into slices and calls what is here. With the tag library, packages
// leave out what no client can ask for (the formats of dataset files), with zoofiles the
// networks that ship lie in a folder (pk_zoo).
package main

func main() {}
