/** Determines the user, and asks the server itself whether the access is allowed. */
import type { KubeObject } from '@coxswain/apimachinery';
import type { KubeClient } from '@coxswain/client';
import type { UserInfo } from '../../../user.ts';
import type { AccessQuestion } from './access-question.ts';
import type { ServerAnswer } from './why-denied.ts';

/** Includes the groups that authentication adds for such users. */
export function userOf(name: string, groups: readonly string[]): UserInfo {
  const [, namespace] = /^system:serviceaccount:([^:]+):/.exec(name) ?? [];
  const ofAccount =
    namespace === undefined ? [] : ['system:serviceaccounts', `system:serviceaccounts:${namespace}`];
  const known = name === 'system:anonymous' ? 'system:unauthenticated' : 'system:authenticated';
  return { name, groups: [...new Set([...groups, ...ofAccount, known])] };
}

interface SelfReview extends KubeObject {
  readonly status?: {
    readonly userInfo?: { readonly username?: string; readonly groups?: readonly string[] };
  };
}

/** The user of the client. */
export async function whoAmI(client: KubeClient): Promise<UserInfo> {
  const reviews = client.resource<SelfReview>('authentication.k8s.io/v1', 'selfsubjectreviews');
  const { status } = await reviews.create({
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'SelfSubjectReview',
    metadata: {},
  });
  return { name: status?.userInfo?.username ?? '', groups: status?.userInfo?.groups ?? [] };
}

interface AccessReview extends KubeObject {
  readonly spec: object;
  readonly status?: { readonly allowed?: boolean; readonly reason?: string };
}

/** The server's own decision, which may come from authorizers other than RBAC. */
export async function serverAnswer(
  client: KubeClient,
  { path, verb, ...resource }: AccessQuestion,
  user: UserInfo,
): Promise<ServerAnswer> {
  const reviews = client.resource<AccessReview>('authorization.k8s.io/v1', 'subjectaccessreviews');
  const { status } = await reviews.create({
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SubjectAccessReview',
    metadata: {},
    spec: {
      user: user.name,
      groups: user.groups,
      ...(path === ''
        ? { resourceAttributes: { ...resource, verb } }
        : { nonResourceAttributes: { path, verb } }),
    },
  });
  return { allowed: status?.allowed ?? false, reason: status?.reason ?? '' };
}
