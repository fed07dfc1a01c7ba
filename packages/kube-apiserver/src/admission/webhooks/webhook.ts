/** A webhook of a configuration, with values derived from it once. */
import type { KubeObject } from '@coxswain/apimachinery';
import {
  webhookEndpoint,
  type WebhookClientConfig,
  type WebhookEndpoint,
} from '../../webhooks/webhook-endpoint.ts';
import { matchConditions, type MatchCondition, type MatchConditions } from '../match-conditions.ts';
import type { AdmissionRule, MatchCriteria } from '../rule-matching.ts';

/** ValidatingWebhook and MutatingWebhook, as they are stored. */
interface WebhookSpec extends Omit<MatchCriteria, 'rules'> {
  readonly name: string;
  readonly clientConfig: WebhookClientConfig;
  readonly rules?: readonly AdmissionRule[];
  readonly failurePolicy?: string;
  readonly sideEffects?: string;
  readonly timeoutSeconds?: number;
  readonly admissionReviewVersions?: readonly string[];
  readonly matchConditions?: readonly MatchCondition[];
  readonly reinvocationPolicy?: string;
}

export interface WebhookConfiguration extends KubeObject {
  readonly webhooks?: readonly WebhookSpec[];
}

export interface Webhook {
  /** Unique in the server: the configuration, the name, and the index among webhooks of that name. */
  readonly uid: string;
  readonly configuration: string;
  readonly name: string;
  readonly criteria: MatchCriteria;
  readonly ignoresFailures: boolean;
  readonly sideEffects: string | undefined;
  readonly timeoutMs: number;
  readonly reviewVersions: readonly string[];
  readonly isReinvoked: boolean;
  /** Undefined without match conditions. */
  readonly conditions: MatchConditions | undefined;
  /** @throws Error when the configuration has no usable address */
  readonly endpoint: () => WebhookEndpoint;
}

const timeoutSecondsDefault = 10;

/** Stored objects are never modified, so derived values stay valid as long as they live. */
const made = new WeakMap<WebhookConfiguration, readonly Webhook[]>();

/** In calling order: by the configurations' names, then as listed. */
export function webhooksOf(configurations: readonly WebhookConfiguration[]): readonly Webhook[] {
  if (configurations.length === 1) return webhooksIn(configurations[0]!);
  return configurations
    .toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1))
    .flatMap((configuration) => webhooksIn(configuration));
}

const nameOf = ({ metadata }: WebhookConfiguration): string => metadata.name ?? '';

function webhooksIn(configuration: WebhookConfiguration): readonly Webhook[] {
  let webhooks = made.get(configuration);
  if (webhooks === undefined) {
    const counts = new Map<string, number>();
    webhooks = (configuration.webhooks ?? []).map((spec) => {
      const count = counts.get(spec.name) ?? 0;
      counts.set(spec.name, count + 1);
      return webhookOf(nameOf(configuration), spec, count);
    });
    made.set(configuration, webhooks);
  }
  return webhooks;
}

function webhookOf(configuration: string, spec: WebhookSpec, count: number): Webhook {
  const { name, matchConditions: conditions = [] } = spec;
  let compiled: MatchConditions | undefined;
  let endpoint: WebhookEndpoint | undefined;
  return {
    uid: `${configuration}/${name}/${count}`,
    configuration,
    name,
    criteria: {
      rules: spec.rules ?? [],
      namespaceSelector: spec.namespaceSelector,
      objectSelector: spec.objectSelector,
      matchPolicy: spec.matchPolicy,
    },
    ignoresFailures: spec.failurePolicy === 'Ignore',
    sideEffects: spec.sideEffects,
    timeoutMs: (spec.timeoutSeconds ?? timeoutSecondsDefault) * 1000,
    reviewVersions: spec.admissionReviewVersions ?? [],
    isReinvoked: spec.reinvocationPolicy === 'IfNeeded',
    get conditions() {
      if (conditions.length === 0) return undefined;
      return (compiled ??= matchConditions(conditions, spec.failurePolicy));
    },
    endpoint: () => (endpoint ??= webhookEndpoint(spec.clientConfig)),
  };
}
