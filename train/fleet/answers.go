package fleet

import (
	"errors"
	"net/http"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// missing reports whether the broker answers that it has not got something.
func missing(err error) bool {
	for _, answer := range []error{
		jetstream.ErrStreamNotFound, jetstream.ErrConsumerNotFound, jetstream.ErrBucketNotFound, jetstream.ErrMsgNotFound,
		jetstream.ErrNoStreamResponse, nats.ErrNoResponders,
	} {
		if errors.Is(err, answer) {
			return true
		}
	}
	return false
}

// Codes of a broker whose class, that of HTTP, says something else than whether to ask again.
const (
	noPeers           jetstream.ErrorCode = 10005 // of a cluster of which too few nodes are there
	noCluster         jetstream.ErrorCode = 10074 // replicas of a broker that is alone
	notForThisAccount jetstream.ErrorCode = 10039
)

// refused reports whether the broker answers with a refusal that holds until somebody configures
// it, or asks for something else. All others pass by themselves: that no answer comes, that nobody
// is there to give one (a broker that is starting, or whose disk is full), that the nodes of a
// cluster have no leader or no room.
func refused(err error) bool {
	told, is := errors.AsType[jetstream.JetStreamError](err)
	if !is || missing(err) {
		return false
	}
	answer := told.APIError()
	if answer == nil {
		return true // the client has not even asked
	}
	switch answer.ErrorCode {
	case noPeers:
		return false
	case noCluster, notForThisAccount:
		return true
	}
	return answer.Code >= http.StatusBadRequest && answer.Code < http.StatusInternalServerError &&
		answer.Code != http.StatusRequestTimeout && answer.Code != http.StatusTooManyRequests
}
