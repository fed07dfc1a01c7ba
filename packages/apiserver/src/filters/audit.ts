/** Sends audit events when a request arrives, when the response of a long-running one starts, and when it completes. */
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import type { AuditContext } from '../audit/audit-context.ts';
import type { ApiRequest } from '../http/api-request.ts';
import type { ApiResponse, Answer } from '../http/api-response.ts';
import { isOpenEnded, whenOver } from '../http/ending-response.ts';
import { internalErrorText } from '../negotiation/internal-error.ts';
import type { Filter, Next } from './filter.ts';

/** `request.audit` is set only if auditing is enabled. */
export const audit: Filter = {
  step: 'audit',
  handle(request, next) {
    const event = request.audit;
    if (event === undefined || !event.begin(request, request.user)) {
      request.audit = undefined;
      request.observer?.note?.({ level: 'None', rule: event?.rule?.by ?? 'none' });
      return next(request);
    }
    const { level, rule, backendName: backend } = event;
    request.observer?.note?.({ level, rule: rule?.by, backend, omitStages: [...(rule?.omitStages ?? [])] });
    const kept = event.received();
    return kept instanceof Promise
      ? kept.then((later) => proceed(request, next, event, later))
      : proceed(request, next, event, kept);
  },
};

/** A request that is refused before its user is known gets a single event, with the response. */
export async function auditRefusal(request: ApiRequest, refuse: () => ApiResponse): Promise<ApiResponse> {
  const event = request.audit;
  const isReported = event?.begin(request, undefined) ?? false;
  const answer = refuse();
  if (!isReported) return answer;
  event!.noteCode(answer.status);
  await event!.started();
  return answer;
}

function proceed(request: ApiRequest, next: Next, event: AuditContext, isKept: boolean): Answer {
  if (!isKept) return internalErrorText(request, 'failed to store audit event');
  let answer: Answer;
  try {
    answer = next(request);
  } catch (failure) {
    return panicked(event, failure);
  }
  if (!(answer instanceof Promise)) return finished(request, event, answer);
  return answer.then(
    (response) => finished(request, event, response),
    (failure: unknown) => panicked(event, failure),
  );
}

function panicked(event: AuditContext, failure: unknown): Promise<never> {
  event.notePanic(`APIServer panic'd: ${messageOf(failure)}`);
  return Promise.resolve(event.panicked()).then(() => {
    throw failure;
  });
}

function finished(request: ApiRequest, event: AuditContext, response: ApiResponse): Answer {
  event.noteCode(response.status);
  if (!request.longRunning && !isOpenEnded(response)) return after(event.completed(), response);
  const started = request.longRunning ? event.started() : undefined;
  return started === undefined
    ? completedAtEnd(response, event)
    : started.then(() => completedAtEnd(response, event));
}

const after = (kept: void | Promise<void>, response: ApiResponse): Answer =>
  kept === undefined ? response : kept.then(() => response);

const completedAtEnd = (response: ApiResponse, event: AuditContext): Answer =>
  isOpenEnded(response)
    ? whenOver(response, () => void event.completed())
    : after(event.completed(), response);
