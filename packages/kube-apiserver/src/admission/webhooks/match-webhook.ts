/** Determines which webhooks a write matches, and in which version. */
import { forbidden } from '@coxswain/apimachinery';
import type { AdmissionAttributes, Authorizer } from '@coxswain/apiserver';
import { groupResourceOf } from '../attributes.ts';
import { ExpressionAuthorizer } from '../expression-authorizer.ts';
import { expressionVariables } from '../expression-variables.ts';
import { matchRequest, type MatchedRequest, type MatchingParts } from '../rule-matching.ts';
import type { VersionedObjects } from '../versioned-objects.ts';
import type { Webhook } from './webhook.ts';
import type { WebhookMetrics } from './webhook-metrics.ts';

export interface WebhookMatchingParts extends MatchingParts {
  readonly authorizer: Authorizer;
  readonly metrics: WebhookMetrics;
}

export interface WantedWrite {
  readonly attributes: AdmissionAttributes;
  readonly in: (matched: MatchedRequest) => Promise<VersionedObjects>;
}

/** Synchronous for a webhook whose rules don't match. @throws StatusError */
export function matchWebhook(
  webhook: Webhook,
  write: WantedWrite,
  type: 'admit' | 'validate',
  parts: WebhookMatchingParts,
): MatchedRequest | undefined | Promise<MatchedRequest | undefined> {
  const matched = matchRequest(write.attributes, webhook.criteria, parts);
  if (matched === undefined || webhook.conditions === undefined) return matched;
  return matched instanceof Promise
    ? matched.then((found) => found && conditionsHold(webhook, found, write, type, parts))
    : conditionsHold(webhook, matched, write, type, parts);
}

async function conditionsHold(
  webhook: Webhook,
  matched: MatchedRequest,
  write: WantedWrite,
  type: 'admit' | 'validate',
  { authorizer, metrics }: WebhookMatchingParts,
): Promise<MatchedRequest | undefined> {
  const { conditions, name } = webhook;
  if (conditions === undefined) return matched;
  const { attributes } = write;
  const versioned = await write.in(matched);
  const asking = new ExpressionAuthorizer(authorizer, attributes);
  const result = await asking.evaluated(() => conditions(expressionVariables(versioned, asking)));
  if (result.kind === 'match') return matched;
  if (result.kind === 'error') throw forbidden(groupResourceOf(attributes), attributes.name, result.message);
  metrics.excluded(name, type, attributes.operation);
  return undefined;
}
