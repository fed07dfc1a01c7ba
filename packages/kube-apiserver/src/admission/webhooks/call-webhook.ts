/** One call of an admission webhook: the request, the validation of its response, and both kinds of failure. */
import {
  badRequest,
  goQuote,
  internalError,
  isStatusError,
  runStep,
  StatusError,
  type Clock,
  type Status,
  type StepDetail,
} from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { AllowanceSpent } from '@coxswain/apimachinery/work-allowance.ts';
import type { AdmissionAttributes } from '@coxswain/apiserver/admission/plugin.ts';
import { Confidential } from '@coxswain/apimachinery/confidential.ts';
import { hiddenValue, holdsSecrets } from '@coxswain/api/core/secret-values.ts';
import type { Kind } from '@coxswain/schema';
import { answerFor } from '../../webhooks/answer-for.ts';
import { canceled } from '../../webhooks/post-review.ts';
import type { WebhookCaller } from '../../webhooks/webhook-caller.ts';
import type { CredentialsOf } from '../../webhooks/webhook-credentials.ts';
import type { WebhookEndpoint } from '../../webhooks/webhook-endpoint.ts';
import type { VersionedObjects } from '../versioned-objects.ts';
import {
  answeredReview,
  checkedResponse,
  reviewKindFor,
  reviewText,
  type AdmissionResponse,
} from './admission-review.ts';
import type { Webhook } from './webhook.ts';
import type { RejectionCause, WebhookCall, WebhookMetrics } from './webhook-metrics.ts';

export interface CallingParts {
  readonly clock: Clock;
  readonly newUid: () => string;
  readonly caller: WebhookCaller;
  readonly metrics: WebhookMetrics;
  readonly credentialsOf?: CredentialsOf | undefined;
}

/** The webhook could not be called, or its response is invalid: its failure policy decides. */
export class CallFailure extends Error {
  override readonly name = 'CallFailure';
  /** For metrics. */
  readonly code: number;
  readonly isCanceled: boolean;

  constructor(webhook: string, reason: string, code: number, isCanceled = false) {
    super(`failed calling webhook ${goQuote(webhook)}: ${reason}`);
    this.code = code;
    this.isCanceled = isCanceled;
  }
}

/** The webhook denied the write. */
export class Rejection extends Error {
  override readonly name = 'Rejection';
  readonly status: StatusError;

  constructor(status: StatusError) {
    super(status.message);
    this.status = status;
  }
}

/**
 * The response of a webhook that allows the write; its warnings and audit annotations are recorded.
 * @throws CallFailure, Rejection, or StatusError for errors that no failure policy excuses; AllowanceSpent
 */
export async function callWebhook(
  webhook: Webhook,
  write: VersionedObjects,
  isMutating: boolean,
  parts: CallingParts,
): Promise<AdmissionResponse> {
  const { attributes } = write;
  if (attributes.dryRun) checkSideEffects(webhook);
  const uid = parts.newUid();
  const kind = known(webhook, () => reviewKindFor(webhook), 'could not create admission objects', 400);
  const endpoint = known(webhook, () => proving(webhook.endpoint(), parts), 'could not get REST client', 500);
  const review = reviewText(kind, uid, write);
  const ask = async () => {
    const answer = await posted(webhook, endpoint, review, write, parts);
    attributes.observer?.note?.(recordedReview(attributes, review, answer));
    return answer;
  };
  const text = await runStep(attributes.observer, `webhook/${webhook.name}`, ask, {
    url: endpoint.origin + endpoint.path,
    failurePolicy: webhook.ignoresFailures ? 'Ignore' : 'Fail',
  });
  const response = checked(webhook, kind, uid, isMutating, text);
  for (const [key, value] of Object.entries(response.auditAnnotations ?? {})) {
    attributes.annotate(`${webhook.name}/${key}`, value);
  }
  for (const warning of response.warnings ?? []) attributes.warn(warning);
  if (response.allowed) return response;
  throw new Rejection(refusal(webhook.name, response.status as Partial<Status> | undefined));
}

/** The request and response for observers; omitted for Secrets, whose data they contain. */
function recordedReview({ resource }: AdmissionAttributes, request: string, answer: string): StepDetail {
  const response = parsed(answer);
  const { allowed } = (response as { readonly response?: Partial<AdmissionResponse> } | null)?.response ?? {};
  const verdict = allowed === true ? 'allow' : 'refused';
  const reported = (value: unknown) =>
    holdsSecrets(resource) ? new Confidential(() => hiddenValue, value) : value;
  return { verdict, request: reported(parsed(request)), response: reported(response) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const proving = (endpoint: WebhookEndpoint, { credentialsOf }: CallingParts): WebhookEndpoint =>
  credentialsOf === undefined ? endpoint : { ...endpoint, credentials: credentialsOf(endpoint) };

function checkSideEffects({ name, sideEffects }: Webhook): void {
  if (sideEffects === undefined) throw new CallFailure(name, 'Webhook SideEffects is nil', 400);
  if (sideEffects === 'None' || sideEffects === 'NoneOnDryRun') return;
  throw badRequest(`admission webhook ${goQuote(name)} does not support dry run`);
}

function known<T>({ name }: Webhook, find: () => T, problem: string, code: number): T {
  try {
    return find();
  } catch (failure) {
    throw new CallFailure(name, `${problem}: ${messageOf(failure)}`, code);
  }
}

/** The code for a failure without one. */
const unavailableCode = 503;

/** Posts the review and returns the response's text, which is parsed later. @throws CallFailure, AllowanceSpent */
async function posted(
  { name, timeoutMs }: Webhook,
  endpoint: WebhookEndpoint,
  body: string,
  { attributes }: VersionedObjects,
  { clock, caller }: CallingParts,
): Promise<string> {
  const leftMs = attributes.deadlineMs - clock.monotonic();
  try {
    return await answerFor(attributes, {
      caller,
      clock,
      endpoint,
      body,
      timeoutMs: Math.max(0, Math.min(timeoutMs, leftMs)),
      signal: attributes.signal(),
      traceParent: attributes.traceParent?.(),
    });
  } catch (failure) {
    throw failure instanceof AllowanceSpent ? failure : notCalled(name, failure);
  }
}

const notCalled = (name: string, failure: unknown): CallFailure =>
  new CallFailure(
    name,
    `failed to call webhook: ${messageOf(failure)}`,
    isStatusError(failure) ? failure.code : unavailableCode,
    (failure as Error).cause === canceled,
  );

function checked(
  { name }: Webhook,
  kind: Kind,
  uid: string,
  isMutating: boolean,
  text: string,
): AdmissionResponse {
  let review;
  try {
    review = answeredReview(kind, text);
  } catch (failure) {
    throw notCalled(name, failure);
  }
  try {
    return checkedResponse(kind, uid, isMutating, review);
  } catch (failure) {
    const reason = `received invalid webhook response: ${messageOf(failure)}`;
    throw new CallFailure(name, reason, unavailableCode);
  }
}

/** The lowest code that counts as an error, whatever the webhook's status says. */
const refusalCodeMin = 400;

function refusal(name: string, result: Partial<Status> | undefined): StatusError {
  const { code = 0, reason = '', message = '', details } = result ?? {};
  const said = message || reason;
  const denied = `admission webhook ${goQuote(name)} denied the request`;
  const text = said === '' ? `${denied} without explanation` : `${denied}: ${said}`;
  return refusalStatus(code < refusalCodeMin ? refusalCodeMin : code, reason, text, details, result);
}

/** Upstream passes on everything in the webhook's status. */
function refusalStatus(
  code: number,
  reason: string,
  message: string,
  details: Status['details'] | undefined,
  result: Partial<Status> | undefined,
): StatusError {
  const refused = new StatusError(code, reason, message, details);
  const { status, metadata } = result ?? {};
  const given = status as string | undefined;
  if (given !== undefined && given !== '' && given !== 'Success') refused.status.status = status!;
  if (metadata !== undefined) refused.status.metadata = metadata;
  return refused;
}

/** Counts a failed call. @returns the error to throw, undefined when it is ignored */
export function countedFailure(
  call: WebhookCall,
  seconds: number,
  failure: unknown,
  ignoresFailures: boolean,
  metrics: WebhookMetrics,
): unknown {
  const count = (cause: RejectionCause, code: number) => metrics.rejected(call, cause, code);
  if (failure instanceof CallFailure) {
    if (!ignoresFailures && !failure.isCanceled) count('calling_webhook_error', failure.code);
    metrics.called(call, seconds, failure.code, !ignoresFailures);
    if (!ignoresFailures) return internalError(failure.message);
    if (!failure.isCanceled) metrics.failedOpen(call);
    return undefined;
  }
  // The thread that asks again counts it.
  if (failure instanceof AllowanceSpent) return failure;
  const isRefusal = failure instanceof Rejection;
  const code = isRefusal ? failure.status.code : 0;
  count(isRefusal ? 'no_error' : 'apiserver_internal_error', code);
  metrics.called(call, seconds, code, true);
  return isRefusal ? failure.status : failure;
}
