/** Passes a request's trace on to webhooks and extension servers that are called on its behalf. */
import type { ApiRequest } from '../http/api-request.ts';
import { isTrustedWithTraces } from './trusted-client.ts';
import { parseTraceParent } from '@coxswain/apimachinery/trace-parent.ts';
import type { RequestTrace } from './tracer.ts';

/** Few requests are traced; the others have no cost. */
const traces = new WeakMap<ApiRequest, RequestTrace>();

export const noteTrace = (request: ApiRequest, trace: RequestTrace): void => void traces.set(request, trace);

/** The header `traceparent`: of the current step, or, if the request is not traced, what a trusted client sent. */
export function outgoingTraceParent(request: ApiRequest): string | undefined {
  const trace = traces.get(request);
  if (trace !== undefined) return trace.traceParent;
  const given = request.header('traceparent');
  return parseTraceParent(given) !== undefined && isTrustedWithTraces(request.user) ? given : undefined;
}
