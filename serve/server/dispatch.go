package server

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"powderkeg/engine"
	"powderkeg/engine/option"
	"powderkeg/serve/inference"
	"powderkeg/serve/protocol"
	"powderkeg/serve/thinking"

	"github.com/prometheus/client_golang/prometheus"
)

// handler carries out the requests of one method on one connection.
type handler struct {
	call     func(ctx context.Context, params []byte) (any, error)
	duration prometheus.Observer
}

// newHandlers returns the methods of the protocol. This is the list of them.
func newHandlers(c *conn) map[string]*handler {
	return map[string]*handler{
		protocol.MethodHello:         bind(c, protocol.MethodHello, c.hello),
		protocol.MethodGames:         bind(c, protocol.MethodGames, c.games),
		protocol.MethodSpec:          bind(c, protocol.MethodSpec, c.spec),
		protocol.MethodEnvMake:       bind(c, protocol.MethodEnvMake, c.envMake),
		protocol.MethodEnvReset:      bind(c, protocol.MethodEnvReset, c.envReset),
		protocol.MethodEnvStep:       bind(c, protocol.MethodEnvStep, c.envStep),
		protocol.MethodEnvObserve:    bind(c, protocol.MethodEnvObserve, c.envObserve),
		protocol.MethodEnvText:       bind(c, protocol.MethodEnvText, c.envText),
		protocol.MethodEnvDrawing:    bind(c, protocol.MethodEnvDrawing, c.envDrawing),
		protocol.MethodEnvView:       bind(c, protocol.MethodEnvView, c.envView),
		protocol.MethodEnvLegal:      bind(c, protocol.MethodEnvLegal, c.envLegal),
		protocol.MethodEnvPosition:   bind(c, protocol.MethodEnvPosition, c.envPosition),
		protocol.MethodEnvClone:      bind(c, protocol.MethodEnvClone, c.envClone),
		protocol.MethodEnvSnapshot:   bind(c, protocol.MethodEnvSnapshot, c.envSnapshot),
		protocol.MethodEnvRestore:    bind(c, protocol.MethodEnvRestore, c.envRestore),
		protocol.MethodEnvRedeal:     bind(c, protocol.MethodEnvRedeal, c.envRedeal),
		protocol.MethodEnvClose:      bind(c, protocol.MethodEnvClose, c.envClose),
		protocol.MethodVecMake:       bind(c, protocol.MethodVecMake, c.vecMake),
		protocol.MethodVecReset:      bind(c, protocol.MethodVecReset, c.vecReset),
		protocol.MethodVecResetSlots: bind(c, protocol.MethodVecResetSlots, c.vecResetSlots),
		protocol.MethodVecStep:       bind(c, protocol.MethodVecStep, c.vecStep),
		protocol.MethodVecStepSlots:  bind(c, protocol.MethodVecStepSlots, c.vecStepSlots),
		protocol.MethodVecSend:       bind(c, protocol.MethodVecSend, c.vecSend),
		protocol.MethodVecRecv:       bind(c, protocol.MethodVecRecv, c.vecRecv),
		protocol.MethodVecClone:      bind(c, protocol.MethodVecClone, c.vecClone),
		protocol.MethodVecFork:       bind(c, protocol.MethodVecFork, c.vecFork),
		protocol.MethodVecSnapshot:   bind(c, protocol.MethodVecSnapshot, c.vecSnapshot),
		protocol.MethodVecRestore:    bind(c, protocol.MethodVecRestore, c.vecRestore),
		protocol.MethodVecClose:      bind(c, protocol.MethodVecClose, c.vecClose),
		protocol.MethodAgentLoad:     bind(c, protocol.MethodAgentLoad, c.agentLoad),
		protocol.MethodAct:           bind(c, protocol.MethodAct, c.act),
		protocol.MethodActBatch:      bind(c, protocol.MethodActBatch, c.actBatch),
		protocol.MethodAgentEvaluate: bind(c, protocol.MethodAgentEvaluate, c.agentEvaluate),
		protocol.MethodAgentClose:    bind(c, protocol.MethodAgentClose, c.agentClose),
		protocol.MethodDatasetOpen:   bind(c, protocol.MethodDatasetOpen, c.datasetOpen),
		protocol.MethodDatasetNext:   bind(c, protocol.MethodDatasetNext, c.datasetNext),
		protocol.MethodDatasetClose:  bind(c, protocol.MethodDatasetClose, c.datasetClose),
		unknownMethod:                {duration: c.server.metrics.duration.WithLabelValues(unknownMethod)},
	}
}

// bind makes a handler of a function from parameters to a result. The
// parameters' memory is reused from request to request.
func bind[P any](c *conn, name string, f func(context.Context, *P) (any, error)) *handler {
	p := new(P)
	return &handler{
		duration: c.server.metrics.duration.WithLabelValues(name),
		call: func(ctx context.Context, params []byte) (result any, err error) {
			c.touched = 0
			defer func() {
				if v := recover(); v != nil {
					result, err = nil, c.brokeDown(v)
				}
			}()
			if r, ok := any(p).(interface{ Reset() }); ok {
				r.Reset()
			} else {
				*p = *new(P)
			}
			if err := c.dec.Decode(params, p); err != nil {
				return nil, undecoded(name, err)
			}
			return f(ctx, p)
		},
	}
}

// undecoded is the error of parameters that cannot be decoded.
func undecoded(name string, err error) *protocol.Error {
	var fault *protocol.Error
	if !errors.As(err, &fault) {
		return protocol.Errorf(protocol.CodeParams, "%s: %v", name, err)
	}
	if fault.Code == protocol.CodeHandle {
		return fault
	}
	return protocol.Errorf(fault.Code, "%s: %s", name, fault.Message)
}

// serve carries out the request in body and builds the response in c.out. It
// returns the handler that did it and the error in the response, if any.
func (c *conn) serve(ctx context.Context, body []byte) (*handler, *protocol.Error) {
	c.vacate() // after the request before
	h := c.handlers[unknownMethod]
	request, err := protocol.ParseRequest(body)
	var result any
	if err != nil {
		err = protocol.Errorf(protocol.CodeFrame, "%v", err)
	} else {
		var known bool
		if h, known = c.handlers[string(request.Method)]; known && h.call != nil {
			result, err = c.greet(ctx, h, &request)
		} else {
			h = c.handlers[unknownMethod]
			err = protocol.Errorf(protocol.CodeMethod, "%q; methods: %v", request.Method[:min(len(request.Method), 40)], c.methods())
		}
	}
	fault := c.fault(err)
	if err := c.out.Response(request.ID, fault, result); err != nil {
		fault = c.fault(fmt.Errorf("encode: %w", err))
	} else if limit := c.server.config.FrameBytes; c.out.Size() > limit {
		fault = protocol.Errorf(protocol.CodeLimit, "the response has %d bytes, the limit is %d", c.out.Size(), limit)
	} else {
		return h, fault
	}
	if err := c.out.Response(request.ID, fault, nil); err != nil {
		c.log.Error("encode", "error", err)
	}
	return h, fault
}

// greet sees to it that hello comes first, and once.
func (c *conn) greet(ctx context.Context, h *handler, r *protocol.Request) (any, error) {
	if hello := string(r.Method) == protocol.MethodHello; hello == c.greeted {
		if hello {
			return nil, protocol.Errorf(protocol.CodeHello, "hello came twice")
		}
		return nil, protocol.Errorf(protocol.CodeHello, "the first request is hello, not %s", r.Method)
	}
	return h.call(ctx, r.Params)
}

// inPlain is a message without the words by which a command line says that it was used wrongly.
func inPlain(message string) string {
	return strings.ReplaceAll(message, option.ErrUsage.Error()+": ", "")
}

// methods lists the methods in alphabetical order.
func (c *conn) methods() []string {
	names := slices.Sorted(maps.Keys(c.handlers))
	return slices.DeleteFunc(names, func(name string) bool { return name == unknownMethod })
}

// fault turns an error into one for the wire. Its code says whose fault it is; the words by which
// a command line begins such a message are left out. What no handler has foreseen is
// the server's own fault: it is logged, and the client learns no details.
func (c *conn) fault(err error) *protocol.Error {
	var fault *protocol.Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &fault):
		return protocol.Errorf(fault.Code, "%s", inPlain(fault.Message))
	case errors.Is(err, option.ErrUsage):
		return protocol.Errorf(protocol.CodeParams, "%s", inPlain(err.Error()))
	case errors.Is(err, engine.ErrPosition):
		return protocol.Errorf(protocol.CodePosition, "%v", err)
	case errors.Is(err, engine.ErrIllegal):
		return protocol.Errorf(protocol.CodeIllegal, "%v", err)
	case errors.Is(err, inference.ErrOverloaded), errors.Is(err, thinking.ErrFull):
		return protocol.Errorf(protocol.CodeOverloaded, "%v; try again", err)
	case errors.Is(err, context.DeadlineExceeded):
		return protocol.Errorf(protocol.CodeTimeout, "it took longer than %v", c.server.config.RequestTimeout)
	case errors.Is(err, context.Canceled):
		return errDraining
	}
	c.report(err)
	return protocol.Errorf(protocol.CodeInternal, "the server could not do it; its log says why")
}
