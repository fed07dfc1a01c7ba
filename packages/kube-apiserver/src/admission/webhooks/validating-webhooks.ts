/** ValidatingAdmissionWebhook: calls all matching webhooks concurrently. */
import type { AdmissionAttributes } from '@coxswain/apiserver';
import { isAdmissionConfiguration } from '../rule-matching.ts';
import { ObjectVersions, type VersionedObjects } from '../versioned-objects.ts';
import { callWebhook, CallFailure, countedFailure } from './call-webhook.ts';
import { matchWebhook } from './match-webhook.ts';
import type { WebhookParts } from './webhook-parts.ts';
import { webhooksOf, type Webhook, type WebhookConfiguration } from './webhook.ts';

/** @throws the error of the first webhook that refused the write */
export async function askValidatingWebhooks(
  attributes: AdmissionAttributes,
  configurations: readonly WebhookConfiguration[],
  parts: WebhookParts,
): Promise<void> {
  if (isAdmissionConfiguration(attributes)) return;
  const versions = new ObjectVersions(attributes, parts.equivalents);
  const wanted = { attributes, in: versions.in.bind(versions) };
  const invocations: Invocation[] = [];
  for (const webhook of webhooksOf(configurations)) {
    const matching = matchWebhook(webhook, wanted, 'validate', parts);
    const matched = matching instanceof Promise ? await matching : matching;
    if (matched === undefined) continue;
    invocations.push({ webhook, write: await versions.in(matched) });
  }
  if (invocations.length === 0) return;
  // The refusal that arrived first is reported.
  const refusals: unknown[] = [];
  await Promise.all(
    invocations.map(async (invocation, index) => {
      const refusal = await outcome(invocation, index, parts);
      if (refusal !== undefined) refusals.push(refusal);
    }),
  );
  if (refusals.length > 0) throw refusals[0];
}

interface Invocation {
  readonly webhook: Webhook;
  readonly write: VersionedObjects;
}

/** The error for the client if the webhook refuses the write. */
async function outcome({ webhook, write }: Invocation, index: number, parts: WebhookParts): Promise<unknown> {
  const { clock, metrics } = parts;
  const { name, ignoresFailures } = webhook;
  const { attributes } = write;
  const call = { name, type: 'validating', operation: attributes.operation } as const;
  const startMs = clock.monotonic();
  const seconds = () => (clock.monotonic() - startMs) / 1000;
  try {
    await callWebhook(webhook, write, false, parts);
    metrics.called(call, seconds(), 200, false);
    return undefined;
  } catch (failure) {
    const refusal = countedFailure(call, seconds(), failure, ignoresFailures, metrics);
    if (refusal === undefined && !(failure as CallFailure).isCanceled) {
      attributes.annotate(`failed-open.validating.webhook.admission.k8s.io/round_0_index_${index}`, name);
    }
    return refusal;
  } finally {
    attributes.noteWait?.('validating-webhook', clock.monotonic() - startMs);
  }
}
