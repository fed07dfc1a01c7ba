/** Authorizes a component's clients by asking the API server, whose answers are cached for a while. */
import type { Clock, KubeObject } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import type { KubeClient } from '@coxswain/client';
import { LruMap } from '@coxswain/client/events/lru-map.ts';
import type { AuthorizationAttributes, Authorizer, Decision } from '../authorization/authorizer.ts';
import type { ServingSettings } from './serving-settings.ts';

interface AccessReview extends KubeObject {
  readonly status?: { readonly allowed?: boolean; readonly denied?: boolean; readonly reason?: string };
}

/** The maximum number of cached answers. */
const answersMax = 1024;

export function delegatedAuthorizer(
  client: KubeClient,
  { authorizedTtlMs, unauthorizedTtlMs }: Pick<ServingSettings, 'authorizedTtlMs' | 'unauthorizedTtlMs'>,
  clock: Clock,
): Authorizer {
  const answers = new LruMap<string, { readonly decision: Decision; readonly untilMs: number }>(answersMax);
  const reviews = client.resource('authorization.k8s.io/v1', 'subjectaccessreviews');
  return {
    name: 'subject-access-review',
    async decide(attributes) {
      const spec = reviewSpec(attributes);
      const key = JSON.stringify(spec);
      const known = answers.get(key);
      if (known !== undefined && known.untilMs > clock.monotonic()) return known.decision;
      const review = { apiVersion: 'authorization.k8s.io/v1', kind: 'SubjectAccessReview', spec };
      let answer: AccessReview;
      try {
        answer = (await reviews.create(review as unknown as KubeObject)) as AccessReview;
      } catch (failure) {
        return { kind: 'no-opinion', reason: '', problem: messageOf(failure) };
      }
      const { allowed = false, denied = false, reason = '' } = answer.status ?? {};
      const decision: Decision = { kind: denied ? 'deny' : allowed ? 'allow' : 'no-opinion', reason };
      const ttlMs = allowed ? authorizedTtlMs : unauthorizedTtlMs;
      answers.set(key, { decision, untilMs: clock.monotonic() + ttlMs });
      return decision;
    },
  };
}

function reviewSpec({ user, verb, path, ...of }: AuthorizationAttributes): object {
  const { namespace, group, version, resource, subresource, name } = of;
  return {
    user: user.name,
    groups: user.groups,
    ...(user.uid === undefined ? {} : { uid: user.uid }),
    ...(user.extra === undefined ? {} : { extra: user.extra }),
    ...(of.isResourceRequest
      ? { resourceAttributes: { namespace, verb, group, version, resource, subresource, name } }
      : { nonResourceAttributes: { path, verb } }),
  };
}
