/** The webhook admission plugins; the code that calls webhooks is loaded with the first configuration. */
import { inWallTime } from '@coxswain/apimachinery/wall-time.ts';
import type { AdmissionAttributes, AdmissionPlugin, Authorizer, Awaitable } from '@coxswain/apiserver';
import type { Metrics } from '@coxswain/apimachinery/metrics/metrics.ts';
import type { Clock, GroupResource } from '@coxswain/apimachinery';
import type { WebhookCaller } from '../../webhooks/webhook-caller.ts';
import type { CredentialsOf } from '../../webhooks/webhook-credentials.ts';
import { on } from '../attributes.ts';
import type { MatchingParts } from '../rule-matching.ts';
import type { WebhookConfiguration } from '../webhooks/webhook.ts';
import type { WebhookParts } from '../webhooks/webhook-parts.ts';

export interface WebhookPluginParts extends MatchingParts {
  readonly authorizer: Authorizer;
  readonly clock: Clock;
  readonly newUid: () => string;
  readonly caller: WebhookCaller;
  /** Absent when webhooks are called without credentials. */
  readonly credentialsOf?: CredentialsOf | undefined;
  readonly metrics: Metrics;
}

type Ask = (
  attributes: AdmissionAttributes,
  configurations: readonly WebhookConfiguration[],
  parts: WebhookParts,
) => Promise<void>;

export const mutatingAdmissionWebhook = (parts: WebhookPluginParts): AdmissionPlugin => ({
  name: 'MutatingAdmissionWebhook',
  changesInPlace: false,
  handles: on('CREATE', 'UPDATE', 'DELETE', 'CONNECT'),
  mutate: asking('mutatingwebhookconfigurations', parts, async () => {
    const { askMutatingWebhooks } = await inWallTime(() => import('../webhooks/mutating-webhooks.ts'));
    return askMutatingWebhooks;
  }),
});

export const validatingAdmissionWebhook = (parts: WebhookPluginParts): AdmissionPlugin => ({
  name: 'ValidatingAdmissionWebhook',
  handles: on('CREATE', 'UPDATE', 'DELETE', 'CONNECT'),
  validate: asking('validatingwebhookconfigurations', parts, async () => {
    const { askValidatingWebhooks } = await inWallTime(() => import('../webhooks/validating-webhooks.ts'));
    return askValidatingWebhooks;
  }),
});

/** Synchronous without webhooks, as on most servers. */
function asking(resource: string, parts: WebhookPluginParts, load: () => Promise<Ask>) {
  const configured: GroupResource = { group: 'admissionregistration.k8s.io', resource };
  let loaded: Promise<readonly [Ask, WebhookParts]> | undefined;
  const ask = async (
    attributes: AdmissionAttributes,
    configurations: Awaitable<readonly WebhookConfiguration[]>,
  ) => {
    const found = await configurations;
    if (found.length === 0) return;
    const [askThem, webhookParts] = await (loaded ??= prepared(parts, load));
    return askThem(attributes, found, webhookParts);
  };
  return function askWebhooks(attributes: AdmissionAttributes): void | Promise<void> {
    const configurations = parts.objects.list<WebhookConfiguration>(configured, '');
    if (configurations instanceof Promise || configurations.length > 0) {
      return ask(attributes, configurations);
    }
  };
}

async function prepared(
  parts: WebhookPluginParts,
  load: () => Promise<Ask>,
): Promise<readonly [Ask, WebhookParts]> {
  const [ask, { WebhookMetrics }] = await Promise.all([
    load(),
    inWallTime(() => import('../webhooks/webhook-metrics.ts')),
  ]);
  return [ask, { ...parts, metrics: new WebhookMetrics(parts.metrics) }];
}
