/** Authorizes by an external service with SubjectAccessReviews, whose answers are cached. */
import type { Clock, Random } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import type { AuthorizationAttributes, Authorizer, Decision } from '@coxswain/apiserver';
import { noOpinion } from '@coxswain/apiserver/authorization/authorizer.ts';
import { ExpiringCache } from '../expiring-cache.ts';
import { answeredObject } from '../webhook-answer.ts';
import type { WebhookConnector } from '../webhook-connection.ts';
import { postWithRetry } from '../webhook-retry.ts';
import { accessReviewSpec, type AccessReviewSpec } from './access-review.ts';
import type { WebhookSettings } from './configured-authorizer.ts';
import { conditionMatcher } from './match-conditions.ts';

export interface WebhookParts {
  readonly connect: WebhookConnector;
  readonly clock: Clock;
  readonly random: Random;
}

interface ReviewStatus {
  readonly allowed?: boolean;
  readonly denied?: boolean;
  readonly reason?: string;
}

const answersMax = 8192;
/** Reviews longer than this are not cached, since they may come from an attacker. */
const cachedCharactersMax = 10_000;
const retryInitialMs = 500;

/** @throws Error when the kubeconfig is unusable or an expression doesn't compile */
export function webhookAuthorizer(
  name: string,
  settings: WebhookSettings,
  { connect, clock, random }: WebhookParts,
): Authorizer {
  const connection = connect(settings.kubeConfigFile, settings.timeoutMs);
  const matching = conditionMatcher(settings.matchConditions);
  const answers = new ExpiringCache<ReviewStatus>(clock, answersMax);
  const onFailure = (problem: string): Decision => ({
    kind: settings.failurePolicy === 'Deny' ? 'deny' : 'no-opinion',
    reason: '',
    problem,
  });
  const ask = async (key: string, spec: AccessReviewSpec, isCached: boolean): Promise<Decision> => {
    const body = reviewText(settings.subjectAccessReviewVersion, spec);
    try {
      const answer = await postWithRetry(connection, body, { clock, random, initialMs: retryInitialMs });
      const { status = {} } = answeredObject(answer) as { readonly status?: ReviewStatus };
      const ttlMs = status.allowed ? settings.authorizedTtlMs : settings.unauthorizedTtlMs;
      if (isCached) answers.set(key, status, ttlMs);
      return decisionOf(status);
    } catch (failure) {
      return onFailure(messageOf(failure));
    }
  };
  return {
    name,
    decide(attributes) {
      const spec = accessReviewSpec(attributes);
      const match = matching(spec);
      if ('problem' in match) return onFailure(match.problem);
      if (!match.matches) return noOpinion;
      const key = JSON.stringify(spec);
      const known = answers.get(key);
      return known === undefined ? ask(key, spec, isShort(attributes)) : decisionOf(known);
    },
  };
}

function decisionOf({ allowed, denied, reason = '' }: ReviewStatus): Decision {
  if (denied && allowed) {
    const problem = 'webhook subject access review returned both allow and deny response';
    return { kind: 'deny', reason, problem };
  }
  return { kind: denied ? 'deny' : allowed ? 'allow' : 'no-opinion', reason };
}

/** v1beta1 had another name for the groups. */
function reviewText(version: 'v1' | 'v1beta1', spec: AccessReviewSpec): string {
  const members = Object.entries(spec).map(([member, value]) => [
    member === 'groups' && version === 'v1beta1' ? 'group' : member,
    value,
  ]);
  return JSON.stringify({
    kind: 'SubjectAccessReview',
    apiVersion: `authorization.k8s.io/${version}`,
    metadata: {},
    spec: Object.fromEntries(members),
    status: { allowed: false },
  });
}

const isShort = (asked: AuthorizationAttributes): boolean =>
  asked.namespace.length +
    asked.verb.length +
    asked.group.length +
    asked.version.length +
    asked.resource.length +
    asked.subresource.length +
    asked.name.length +
    asked.path.length <
  cachedCharactersMax;
