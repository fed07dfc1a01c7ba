/** Creates the spans of traced requests. */
import { isOpenEnded, whenOver } from '../http/ending-response.ts';
import type { ApiResponse } from '../http/api-response.ts';
import { noteTrace } from '../tracing/outgoing-trace.ts';
import type { RequestTrace, Tracer } from '../tracing/tracer.ts';
import { observeAll } from '@coxswain/apimachinery';
import type { Filter } from './filter.ts';

/** Runs after authentication, since only some clients may request tracing. */
export const traceRequest = (tracer: Tracer): Filter => ({
  step: 'trace-request',
  handle(request, next) {
    const trace = tracer.begin(request);
    if (trace === undefined) return next(request);
    noteTrace(request, trace);
    const { observer } = request;
    request.observer = observer === undefined ? trace.observer : observeAll([observer, trace.observer]);
    const failed = (failure: unknown): never => {
      trace.ended(500);
      throw failure;
    };
    try {
      const answer = next(request);
      return answer instanceof Promise
        ? answer.then((response) => ended(trace, response), failed)
        : ended(trace, answer);
    } catch (failure) {
      return failed(failure);
    }
  },
});

function ended(trace: RequestTrace, response: ApiResponse): ApiResponse {
  const end = () => trace.ended(response.status);
  if (isOpenEnded(response)) return whenOver(response, end);
  end();
  return response;
}
