/**
 * Lets a request in when its priority level has seats for it, makes it wait in one of the level's queues, or
 * refuses it. Which flow schema and level it belongs to is told in its answer, by their uids: their names are
 * nobody's business.
 */
import type { Clock } from '@coxswain/apimachinery';
import { inFairTurn, noteServed } from '@coxswain/apimachinery/slices.ts';
import type { FlowControl } from '../flow-control/flow-control.ts';
import type { Flow } from '../flow-control/flow.ts';
import type { FlowRequest } from '../flow-control/flow-request.ts';
import { requestKind } from '../flow-control/requests-in-progress.ts';
import type { ApiRequest } from '../http/api-request.ts';
import type { ApiResponse, Answer } from '../http/api-response.ts';
import type { Filter, Next } from './filter.ts';
import { tooManyRequests } from './too-many-requests.ts';
import { whileServed } from './while-served.ts';

/** However long a client is willing to wait for its answer, it does not wait longer for its turn. */
const waitMsMax = 60_000;
/** The part of a request's time that it may wait: the rest is for its answer. */
const waitParts = 4;

export const priorityAndFairness = (
  control: FlowControl,
  clock: Clock,
  /** For requests without a deadline of their own, which watches are. */
  requestTimeoutMs: number,
): Filter => ({
  step: 'limit-fairly',
  handle(request, next) {
    const isWatch = request.info.verb === 'watch';
    if (request.longRunning && !isWatch) return next(request);
    const flow = control.flowOf(request);
    const entry = control.arrival(request, flow);
    request.isUrgent = flow.level.isUrgent;
    request.incoming.peer.owner = request.owner;
    noteServed(clock, request.user.name, entry.arrivedAtMs);
    switch (control.admit(entry)) {
      case 'executing':
        return execute(control, entry, clock, request, next);
      case 'rejected':
        return refuse(control, flow, request);
      default:
        return wait(control, entry, clock, request, next, waitLimitMs(request, requestTimeoutMs));
    }
  },
});

/** Until when a request may wait, from now. */
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
          executes ? execute(control, entry, clock, request, next) : refuse(control, entry.flow, request),
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
): Answer {
  tellFlow(entry.flow, request);
  if (request.info.verb === 'watch') return open(control, entry, clock, request, next);
  const executing = control.inProgress.executing[requestKind(request.info.verb)];
  executing.change(1, entry.startedAtMs);
  let isOver = false;
  const leave = () => {
    if (isOver) return;
    isOver = true;
    control.finish(entry, request.answeredAtMs || clock.monotonic());
    executing.change(-1, entry.finishedAtMs);
  };
  request.onElsewhere = leave;
  const serve = () => whileServed(request, next, leave);
  return inFairTurn(clock, request.owner, entry.startedAtMs, serve);
}

/** A watch has its seat until what there is at its beginning is sent. */
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
    // Nobody has taken it: there is no watch, or not one of this server.
    if (request.onWatchEnd !== undefined) forget();
    return answer;
  } catch (failure) {
    leave();
    forget();
    throw failure;
  }
}

/** A client of this process takes what there is as it is: nothing is made of it. */
const sendsLater = ({ body }: ApiResponse): boolean => body.kind === 'stream' || body.kind === 'upgrade';

function refuse(control: FlowControl, flow: Flow, request: ApiRequest): ApiResponse {
  tellFlow(flow, request);
  control.noteTermination(request, 429);
  return tooManyRequests(request, control.dropped.drop(flow.level.name));
}

function tellFlow({ uid, name, level }: Flow, { responseHeaders, observer }: ApiRequest): void {
  observer?.note?.({ flowSchema: name, priorityLevel: level.name });
  responseHeaders['x-kubernetes-pf-flowschema-uid'] = uid;
  responseHeaders['x-kubernetes-pf-prioritylevel-uid'] = level.uid;
}
