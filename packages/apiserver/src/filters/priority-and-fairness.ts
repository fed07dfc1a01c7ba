/**
 * Admits a request when its priority level has seats for it, queues it, or refuses it. The response names the flow
 * schema and the priority level by uid only, since their names are confidential.
 */
import type { Clock } from '@coxswain/apimachinery';
import { inFairTurn, noteServed } from '@coxswain/apimachinery/slices.ts';
import type { FlowControl } from '../flow-control/flow-control.ts';
import type { Flow } from '../flow-control/flow.ts';
import type { FlowRequest } from '../flow-control/flow-request.ts';
import { Seat } from '../flow-control/seat.ts';
import { requestKind } from '../flow-control/requests-in-progress.ts';
import type { ApiRequest } from '../http/api-request.ts';
import type { ApiResponse, Answer } from '../http/api-response.ts';
import type { Filter, Next } from './filter.ts';
import { tooManyRequests } from './too-many-requests.ts';
import { whileServed } from './while-served.ts';

/** The maximum wait in a queue, however long the client would wait for its response. */
const waitMsMax = 60_000;
/** A request may spend this fraction of its timeout in the queue; the rest is for its execution. */
const waitParts = 4;

export const priorityAndFairness = (
  control: FlowControl,
  clock: Clock,
  /** For requests without a deadline of their own, such as watches. */
  requestTimeoutMs: number,
): Filter => ({
  step: 'priority-and-fairness',
  handle(request, next) {
    const isWatch = request.info.verb === 'watch';
    if (request.longRunning && !isWatch) return next(request);
    const limitMs = waitLimitMs(request, requestTimeoutMs);
    const flow = control.flowOf(request);
    const entry = control.arrival(request, flow);
    request.isUrgent = flow.isUrgent(request.info);
    request.incoming.peer.owner = request.owner;
    noteServed(clock, request.user.name, entry.arrivedAtMs);
    switch (control.admit(entry)) {
      case 'executing':
        return execute(control, entry, clock, request, next, limitMs);
      case 'rejected':
        return refuse(control, flow, request);
      default:
        return wait(control, entry, clock, request, next, limitMs);
    }
  },
});

/** How long a request may wait from now on. */
function waitLimitMs({ deadlineMs, startedAtMs }: ApiRequest, requestTimeoutMs: number): number {
  const timeoutMs = Number.isFinite(deadlineMs) ? deadlineMs - startedAtMs : requestTimeoutMs;
  return Math.min(timeoutMs / waitParts, waitMsMax);
}

function wait(
  control: FlowControl,
  entry: FlowRequest<Flow>,
  clock: Clock,
  request: ApiRequest,
  next: Next,
  limitMs: number,
): Promise<ApiResponse> {
  const waiting = control.inProgress.waiting[requestKind(request.info.verb)];
  waiting.change(1, entry.arrivedAtMs);
  const passedMs = entry.arrivedAtMs - request.startedAtMs;
  return new Promise((resolve, reject) => {
    control.wait(entry, Math.max(0, limitMs - passedMs), request.signal, (executes) => {
      const nowMs = clock.monotonic();
      waiting.change(-1, nowMs);
      request.audit?.latencies.add('apf-queue-wait', nowMs - entry.arrivedAtMs);
      request.observer?.note?.({ queueWaitMs: nowMs - entry.arrivedAtMs });
      try {
        resolve(
          executes
            ? execute(control, entry, clock, request, next, limitMs)
            : refuse(control, entry.flow, request),
        );
      } catch (failure) {
        reject(failure);
      }
    });
  });
}

function execute(
  control: FlowControl,
  entry: FlowRequest<Flow>,
  clock: Clock,
  request: ApiRequest,
  next: Next,
  limitMs: number,
): Answer {
  reportFlow(entry.flow, request);
  if (request.info.verb === 'watch') return open(control, entry, clock, request, next);
  const executing = control.inProgress.executing[requestKind(request.info.verb)];
  executing.change(1, entry.startedAtMs);
  const seat = new Seat(control, clock, request, entry, limitMs);
  let isOver = false;
  const leave = () => {
    if (isOver) return;
    isOver = true;
    const nowMs = request.answeredAtMs || clock.monotonic();
    seat.leave(nowMs);
    executing.change(-1, nowMs);
  };
  request.onElsewhere = leave;
  const serve = () => whileServed(request, next, leave);
  return inFairTurn(clock, request.owner, entry.startedAtMs, serve);
}

/** A watch occupies its seat until its initial events are sent. */
async function open(
  control: FlowControl,
  entry: FlowRequest<Flow>,
  clock: Clock,
  request: ApiRequest,
  next: Next,
): Promise<ApiResponse> {
  const executing = control.inProgress.executing.readOnly;
  executing.change(1, entry.startedAtMs);
  const forget = control.watches.register(request);
  const leave = () => {
    control.finish(entry, clock.monotonic());
    executing.change(-1, entry.finishedAtMs);
  };
  request.onWatchEnd = forget;
  try {
    const answer = await next(request);
    if (sendsLater(answer)) clock.after(0, leave, { idle: true });
    else leave();
    // No handler claimed it: there is no watch, or another server has it.
    if (request.onWatchEnd !== undefined) forget();
    return answer;
  } catch (failure) {
    leave();
    forget();
    throw failure;
  }
}

/** In-process clients receive objects as they are, so nothing remains to be encoded. */
const sendsLater = ({ body }: ApiResponse): boolean => body.kind === 'stream' || body.kind === 'upgrade';

function refuse(control: FlowControl, flow: Flow, request: ApiRequest): ApiResponse {
  reportFlow(flow, request);
  control.noteTermination(request, 429);
  return tooManyRequests(request, control.dropped.drop(flow.level.name));
}

function reportFlow({ uid, name, level }: Flow, { responseHeaders, observer }: ApiRequest): void {
  observer?.note?.({ flowSchema: name, priorityLevel: level.name });
  responseHeaders['x-kubernetes-pf-flowschema-uid'] = uid;
  responseHeaders['x-kubernetes-pf-prioritylevel-uid'] = level.uid;
}
