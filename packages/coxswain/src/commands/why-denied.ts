/** `coxswain why-denied delete pods --as alice`: what is missing. */
import { rangeArgs, string, stringArray } from '@coxswain/cobra';
import type { KubeClient } from '@coxswain/client';
import type { KubeObject } from '@coxswain/apimachinery';
import type { UserInfo } from '@coxswain/apiserver';
import { accessQuestion, type AccessQuestion } from '../access/access-question.ts';
import { readPolicyObjects } from '../access/policy-objects.ts';
import { explainAccess, renderExplanation, type ServerAnswer } from '../access/why-denied.ts';
import { accessCommand, connectionFlags, withCluster } from './access-flags.ts';

export const whyDenied = accessCommand({
  use: 'why-denied VERB RESOURCE [NAME]',
  short: 'Explain why a user is denied access, and which rule would grant it',
  long: 'Asks the server whether a user may perform an action and explains the answer: which roles and bindings apply to the\nuser, which rules nearly match, and which rule would grant access.',
  example:
    '  coxswain why-denied delete pods --as alice -n shop\n  coxswain why-denied get secrets db --as system:serviceaccount:shop:web -n shop',
  args: rangeArgs(2, 3),
  flags: {
    ...connectionFlags,
    as: string({ usage: 'The user to check. Defaults to yourself.' }),
    asGroup: stringArray({ usage: 'A group of the user. Can be repeated.' }),
  },
  run: ({ context: io, args: [verb = '', what = '', name = ''], flags }) =>
    withCluster(io, flags, async ({ client, mapper, namespace }) => {
      const question = accessQuestion({ verb, what, name, namespace }, mapper);
      const user = flags.as === '' ? await whoAmI(client) : userOf(flags.as, flags.asGroup);
      const answer = await serverAnswer(client, question, user);
      const explanation = explainAccess(question, user, await readPolicyObjects(client));
      io.out.write(renderExplanation(question, user, answer, explanation));
    }),
});

/** With the groups that authentication gives to everybody of that sort. */
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

async function whoAmI(client: KubeClient): Promise<UserInfo> {
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

async function serverAnswer(
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
