/** Authorizes impersonation, mode by mode, and makes the impersonated user. */
import { forbiddenError } from '../../authorization/forbidden.ts';
import type { AuthorizationAttributes, Authorizer } from '../../authorization/authorizer.ts';
import { LruMap } from '@coxswain/client/events/lru-map.ts';
import {
  anonymousUser,
  authenticatedGroup,
  mastersGroup,
  unauthenticatedGroup,
  type UserInfo,
} from '../../user.ts';
import { impersonationModes, nodeOf, serviceAccountOf, type ImpersonationMode } from './modes.ts';
import type { WantedUser } from './wanted-user.ts';

export interface Impersonation {
  readonly user: UserInfo;
  /** The verb that allowed it in a constrained mode; for the audit log. */
  readonly constraint: string;
}

/**
 * @param asked the original request's attributes, with the requestor as user
 * @throws StatusError 403 of the first applicable mode, when none allows it
 */
export async function impersonatedUser(
  wanted: WantedUser,
  asked: AuthorizationAttributes,
  authorizer: Authorizer,
  memory: ModeMemory,
): Promise<Impersonation> {
  let refusal: unknown;
  for (const mode of modesFor(asked.user, memory)) {
    if (!mode.applies(wanted, asked.user)) continue;
    const user = mode.name === 'associated-node' ? withoutExtraValues(asked.user) : asked.user;
    try {
      if (mode.name !== '') {
        await check(authorizer, { ...asked, user, verb: `impersonate-on:${mode.name}:${asked.verb}` });
      }
      for (const question of questionsOf(mode, wanted, user)) {
        refuseMasters(mode, question);
        await check(authorizer, question);
      }
      memory.last.set(asked.user.name, mode);
      const constraint = mode.name === '' ? '' : `impersonate:${mode.name}`;
      return { user: userOf(mode, wanted), constraint };
    } catch (failure) {
      refusal ??= failure;
    }
  }
  throw refusal;
}

/**
 * The mode that last worked for a requestor is tried first: it will likely work again, and its denial is the one
 * reported.
 */
export interface ModeMemory {
  readonly modes: readonly ImpersonationMode[];
  readonly last: LruMap<string, ImpersonationMode>;
}

/** As many requestors are cached as upstream. */
const requestorsMax = 10_000;

export const newModeMemory = (isConstrained: boolean): ModeMemory => ({
  modes: isConstrained ? impersonationModes : impersonationModes.filter(({ name }) => name === ''),
  last: new LruMap(requestorsMax),
});

function modesFor({ name }: UserInfo, { modes, last }: ModeMemory): readonly ImpersonationMode[] {
  const first = last.get(name);
  return first === undefined ? modes : [first, ...modes.filter((mode) => mode !== first)];
}

/** The node name was checked already; authorizers see only the keys of the requestor's extra values. */
const withoutExtraValues = (user: UserInfo): UserInfo => ({
  ...user,
  extra: {
    'authentication.kubernetes.io/associated-node-keys': Object.keys(user.extra ?? {}).sort(),
  },
});

/** Only legacy impersonation may yield a user that no rule can deny. @throws StatusError 403 */
function refuseMasters(mode: ImpersonationMode, question: AuthorizationAttributes): void {
  if (mode.name !== '' && question.resource === 'groups' && question.name === mastersGroup) {
    throw forbiddenError(question, 'impersonating the system:masters group is not allowed');
  }
}

/** @throws StatusError 403 */
async function check(authorizer: Authorizer, attributes: AuthorizationAttributes): Promise<void> {
  const decision = await authorizer.decide(attributes);
  if (decision.kind !== 'allow') throw forbiddenError(attributes, decision.reason);
}

/** One question for each impersonated attribute. */
function questionsOf(
  mode: ImpersonationMode,
  wanted: WantedUser,
  user: UserInfo,
): readonly AuthorizationAttributes[] {
  const isConstrained = mode.name !== '';
  const authentication = {
    ...empty,
    user,
    verb: isConstrained ? `impersonate:${mode.name}` : 'impersonate',
    group: 'authentication.k8s.io',
  };
  const main = isConstrained ? authentication : { ...authentication, group: '' };
  const questions: AuthorizationAttributes[] = [{ ...main, ...subjectOf(mode, wanted) }];
  if (wanted.uid !== '') questions.push({ ...authentication, resource: 'uids', name: wanted.uid });
  for (const group of wanted.groups) {
    questions.push({ ...main, resource: 'groups', name: group });
  }
  for (const [key, values] of Object.entries(wanted.extra)) {
    for (const name of values)
      questions.push({ ...authentication, resource: 'userextras', subresource: key, name });
  }
  return questions;
}

const empty = {
  namespace: '',
  version: 'v1',
  resource: '',
  subresource: '',
  name: '',
  isResourceRequest: true,
  path: '',
};

function subjectOf(mode: ImpersonationMode, { name }: WantedUser) {
  const account = serviceAccountOf(name);
  if (account !== undefined) return { resource: 'serviceaccounts', ...account };
  const node = mode.name === '' ? undefined : nodeOf(name);
  if (node === undefined) return { resource: 'users', name };
  return { resource: 'nodes', name: mode.name === 'associated-node' ? '*' : node };
}

function userOf(mode: ImpersonationMode, { name, uid, groups, extra }: WantedUser): UserInfo {
  const all = [...fixedGroups(mode, name, groups)];
  if (name === anonymousUser.name) addTo(all, unauthenticatedGroup);
  else if (!all.includes(unauthenticatedGroup)) addTo(all, authenticatedGroup);
  return {
    name,
    groups: all,
    ...(uid === '' ? undefined : { uid }),
    ...(Object.keys(extra).length === 0 ? undefined : { extra }),
  };
}

/** Service accounts, and in the constrained modes nodes, have groups that follow from their names. */
function fixedGroups(mode: ImpersonationMode, name: string, groups: readonly string[]): readonly string[] {
  const account = serviceAccountOf(name);
  if (account !== undefined && groups.length === 0) {
    return ['system:serviceaccounts', `system:serviceaccounts:${account.namespace}`];
  }
  return mode.name !== '' && nodeOf(name) !== undefined ? ['system:nodes'] : groups;
}

function addTo(groups: string[], group: string): void {
  if (!groups.includes(group)) groups.push(group);
}
