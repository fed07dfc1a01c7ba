/** Calls a CustomResourceDefinition's webhook to convert objects, and checks the result. */
import {
  ConversionReview as ReviewV1,
  type ConversionReview,
} from '@coxswain/api/apiextensions/v1/conversion-review.ts';
import { ConversionReview as ReviewV1beta1 } from '@coxswain/api/apiextensions/v1beta1.ts';
import type { CustomResourceDefinition } from '@coxswain/api/apiextensions/v1/index.ts';
import { goQuote, StatusError, type Clock, type KubeObject } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { AllowanceSpent } from '@coxswain/apimachinery/work-allowance.ts';
import type { Kind } from '@coxswain/schema';
import { writeAny, writeSorted } from '@coxswain/schema/json/write.ts';
import { answeredKind } from '../webhooks/answered-kind.ts';
import { answerFor, type Asker } from '../webhooks/answer-for.ts';
import type { WebhookCaller } from '../webhooks/webhook-caller.ts';
import { webhookEndpoint, type WebhookClientConfig } from '../webhooks/webhook-endpoint.ts';
import type { ConversionFailureType, ConversionMetrics } from './conversion-metrics.ts';
import { withRestoredMetadata } from './restored-metadata.ts';

export interface ConversionParts {
  readonly clock: Clock;
  readonly newUid: () => string;
  readonly caller: WebhookCaller;
  readonly metrics: ConversionMetrics;
}

/**
 * Converts an object to another version without modifying it, for a request if there is one.
 * @throws StatusError 500 with upstream's message, AllowanceSpent
 */
export type ConvertObject = (object: KubeObject, apiVersion: string, asker?: Asker) => Promise<KubeObject>;

/** The maximum timeout of webhooks. */
const timeoutMs = 30_000;

const kinds: Readonly<Record<string, Kind>> = { v1: ReviewV1, v1beta1: ReviewV1beta1 };

export function conversionWebhook(
  definition: CustomResourceDefinition,
  parts: ConversionParts,
): ConvertObject {
  const ask = asking(definition, parts);
  const { clock, metrics } = parts;
  return async (object, apiVersion, asker) => {
    const startMs = clock.monotonic();
    const count = (failure: ConversionFailure | undefined) => {
      const seconds = (clock.monotonic() - startMs) / 1000;
      if (failure === undefined || failure.type !== undefined) metrics.asked(seconds, failure?.type);
      metrics.converted(
        {
          definition: definition.metadata.name ?? '',
          fromVersion: versionIn(object.apiVersion),
          toVersion: versionIn(apiVersion),
        },
        seconds,
        failure === undefined,
      );
    };
    try {
      const converted = await ask(object, apiVersion, asker);
      count(undefined);
      return converted;
    } catch (failure) {
      if (failure instanceof ConversionFailure) count(failure);
      throw failure;
    }
  };
}

const versionIn = (apiVersion = ''): string => apiVersion.slice(apiVersion.indexOf('/') + 1);

function asking(definition: CustomResourceDefinition, parts: ConversionParts): ConvertObject {
  const { clientConfig, conversionReviewVersions = [] } = definition.spec.conversion?.webhook ?? {};
  const version = conversionReviewVersions.find((one) => Object.hasOwn(kinds, one));
  return async (object, apiVersion, asker) => {
    const name = `${object.apiVersion}, Kind=${object.kind}`;
    if (version === undefined) throw new ConversionFailure('no supported conversion review versions');
    const uid = parts.newUid();
    const body = reviewText(kinds[version]!, uid, apiVersion, object);
    const why = (failure: unknown) => `conversion webhook for ${name} failed: ${messageOf(failure)}`;
    let review;
    try {
      const { caller, clock } = parts;
      const endpoint = webhookEndpoint(trimmed(clientConfig));
      const text = await answerFor(asker, { caller, clock, endpoint, body, timeoutMs });
      review = answeredKind(text, kinds[version]!, [ReviewV1, ReviewV1beta1]) as unknown as ConversionReview;
    } catch (failure) {
      if (failure instanceof AllowanceSpent) throw failure;
      throw new ConversionFailure(why(failure), 'conversion_webhook_call_failure');
    }
    let converted;
    try {
      converted = convertedObjects(kinds[version]!, uid, review);
    } catch (failure) {
      throw new ConversionFailure(why(failure), 'conversion_webhook_malformed_response_failure');
    }
    if (converted.length !== 1) {
      throw new ConversionFailure(
        `conversion webhook for ${name} returned ${converted.length} objects, expected 1`,
        'conversion_webhook_partial_response_failure',
      );
    }
    return checked(name, object, apiVersion, converted[0]);
  };
}

/** Upstream sends no reason for it. */
class ConversionFailure extends StatusError {
  /** Undefined when the webhook was not called. */
  readonly type: ConversionFailureType | undefined;

  constructor(message: string, type?: ConversionFailureType) {
    super(500, '', message);
    this.type = type;
  }
}

/** The response is not a valid object. */
const failed = (message: string): ConversionFailure =>
  new ConversionFailure(message, 'conversion_webhook_invalid_converted_object_failure');

/** A bundle of only whitespace counts as absent. */
function trimmed(config: unknown): WebhookClientConfig {
  const { caBundle, ...others } = (config ?? {}) as WebhookClientConfig;
  return caBundle && atob(caBundle).trim() !== '' ? { ...others, caBundle } : others;
}

function reviewText({ apiVersion }: Kind, uid: string, wanted: string, object: KubeObject): string {
  const request = `{"uid":${writeAny(uid)},"desiredAPIVersion":${writeAny(wanted)},"objects":[${writeSorted(object)}]}`;
  const response = '{"uid":"","convertedObjects":null,"result":{"metadata":{}}}';
  return `{"kind":"ConversionReview","apiVersion":"${apiVersion}","request":${request},"response":${response}}\n`;
}

/** @throws Error with upstream's message */
function convertedObjects(kind: Kind, uid: string, review: ConversionReview): readonly unknown[] {
  if (kind === ReviewV1) checkKind(review);
  const { response } = review;
  if (response === undefined || response === null) throw new Error('no response provided');
  if (kind === ReviewV1 && response.uid !== uid) {
    throw new Error(`expected response.uid=${goQuote(uid)}, got ${goQuote(response.uid ?? '')}`);
  }
  const { status = '', message = '' } = response.result ?? {};
  if (status !== 'Success') {
    throw new Error(message || `response.result.status was '${status}', not 'Success'`);
  }
  return response.convertedObjects ?? [];
}

function checkKind(review: ConversionReview): void {
  const { apiVersion = '', kind = '' } = review as { apiVersion?: string; kind?: string };
  if (apiVersion === ReviewV1.apiVersion && kind === ReviewV1.kind) return;
  throw new Error(
    `expected webhook response of ${ReviewV1.apiVersion}, Kind=${ReviewV1.kind}, got ${apiVersion || '/'}, Kind=${kind}`,
  );
}

function checked(name: string, original: KubeObject, apiVersion: string, given: unknown): KubeObject {
  const converted = given as KubeObject;
  const invalid = `conversion webhook for ${name} returned invalid`;
  const problem = readingProblem(given);
  if (problem !== undefined) throw failed(problem);
  const got = converted.apiVersion ?? '';
  if (got !== apiVersion) {
    throw failed(
      `${invalid} object at index 0: invalid groupVersion (expected ${apiVersion}, received ${got})`,
    );
  }
  if (converted.kind !== original.kind) {
    throw failed(
      `${invalid} object at index 0: invalid kind (expected ${original.kind}, received ${converted.kind})`,
    );
  }
  const difference = identityDifference(original, converted);
  if (difference !== undefined) throw failed(`${invalid} object: ${difference}`);
  try {
    return withRestoredMetadata(original, converted);
  } catch (problem) {
    throw failed(`${invalid} metadata: ${messageOf(problem)}`);
  }
}

function readingProblem(given: unknown): string | undefined {
  // A missing object has no text at all.
  if (given === null || given === undefined) return 'unexpected end of JSON input';
  if (!isObject(given)) {
    const type = Array.isArray(given) ? 'array' : typeof given === 'boolean' ? 'bool' : typeof given;
    return `json: cannot unmarshal ${type} into Go value of type map[string]interface {}`;
  }
  return (given as KubeObject).kind ? undefined : `Object 'Kind' is missing in '${writeAny(given)}'`;
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Fields that a conversion must not change, with their names in the error message. */
const identity = [
  ['name', 'name'],
  ['namespace', 'namespace'],
  ['uid', 'UID'],
] as const;

function identityDifference(original: KubeObject, converted: KubeObject): string | undefined {
  const before = textsOf(original.metadata);
  const after = textsOf(converted.metadata);
  for (const [member, name] of identity) {
    if (before(member) !== after(member)) {
      return `must have the same ${name}: ${before(member)} != ${after(member)}`;
    }
  }
  return undefined;
}

const textsOf =
  (metadata: unknown) =>
  (member: string): string => {
    const value = isObject(metadata) ? (metadata as Readonly<Record<string, unknown>>)[member] : undefined;
    return typeof value === 'string' ? value : '';
  };
