/** Authorizes impersonation, mode by mode, and makes the impersonated user. */
import { forbiddenError } from '../../authorization/forbidden.ts';
import type { AuthorizationAttributes, Authorizer } from '../../authorization/authorizer.ts';
import { validateDomainPrefixedPath } from '@coxswain/api/meta/domain-prefixed-path.ts';
import { Errors } from '@coxswain/api/meta/checks.ts';
import { aggregateFieldErrors } from '@coxswain/apimachinery/field-error.ts';
import { FieldPath } from '@coxswain/apimachinery/field-path.ts';
import { goQuote } from '@coxswain/apimachinery/go-quote.ts';
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
      await authorize(mode, wanted, { user, observer: asked.observer }, authorizer);
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

/** @throws StatusError 403 */
async function check(authorizer: Authorizer, attributes: AuthorizationAttributes): Promise<void> {
  const decision = await authorizer.decide(attributes);
  if (decision.kind !== 'allow') throw forbiddenError(attributes, decision.reason);
}

/** Checks one impersonated attribute after the other. @throws StatusError 403 */
async function authorize(
  mode: ImpersonationMode,
  wanted: WantedUser,
  asker: Pick<AuthorizationAttributes, 'user' | 'observer'>,
  authorizer: Authorizer,
): Promise<void> {
  const isConstrained = mode.name !== '';
  const authentication = {
    ...empty,
    ...asker,
    verb: isConstrained ? `impersonate:${mode.name}` : 'impersonate',
    group: 'authentication.k8s.io',
  };
  const main = isConstrained ? authentication : { ...authentication, group: '' };
  await check(authorizer, { ...main, ...subjectOf(mode, wanted) });
  if (wanted.uid !== '') await check(authorizer, { ...authentication, resource: 'uids', name: wanted.uid });
  const groups = { ...main, resource: 'groups' };
  const extras = { ...authentication, resource: 'userextras' };
  if (isConstrained) refuseGroups(groups, wanted.groups);
  await checkEach(
    authorizer,
    wanted.groups.map((name) => ({ ...groups, name })),
    isConstrained ? { ...groups, name: '*' } : undefined,
  );
  if (isConstrained) refuseExtra(extras, wanted.extra);
  await checkEach(
    authorizer,
    Object.entries(wanted.extra).flatMap(([subresource, values]) =>
      values.map((name) => ({ ...extras, subresource, name })),
    ),
    isConstrained ? { ...extras, subresource: '*', name: '*' } : undefined,
  );
}

/** From so many questions on, one about all is asked first. */
const questionsMany = 4;

/** @throws StatusError 403 of the first that is denied, unless all are allowed at once */
async function checkEach(
  authorizer: Authorizer,
  questions: readonly AuthorizationAttributes[],
  all: AuthorizationAttributes | undefined,
): Promise<void> {
  if (all !== undefined && questions.length >= questionsMany) {
    const { kind } = await authorizer.decide(all);
    if (kind === 'allow') return;
  }
  for (const question of questions) await check(authorizer, question);
}

/** Only legacy impersonation may yield a user that no rule can deny. @throws StatusError 403 */
function refuseGroups(attributes: AuthorizationAttributes, groups: readonly string[]): void {
  if (groups.includes('')) {
    throw forbiddenError(attributes, 'impersonating the empty string group is not allowed');
  }
  if (groups.includes(mastersGroup)) {
    const named = { ...attributes, name: mastersGroup };
    throw forbiddenError(named, 'impersonating the system:masters group is not allowed');
  }
}

/** @throws StatusError 403 */
function refuseExtra(attributes: AuthorizationAttributes, extra: WantedUser['extra']): void {
  for (const [key, values] of Object.entries(extra)) {
    const reason = extraProblem(key, values);
    if (reason !== undefined) throw forbiddenError(attributes, `impersonating ${reason}`);
  }
}

function extraProblem(key: string, values: readonly string[]): string | undefined {
  if (key === '') return 'the empty string key in extra is not allowed';
  const errors = new Errors();
  validateDomainPrefixedPath(key, FieldPath.of('extra', 'key'), errors);
  if (errors.length > 0) return `an invalid key in extra is not allowed: ${aggregateFieldErrors(errors)}`;
  // An escaped letter may be upper case.
  if (key !== key.toLowerCase()) return `a non-lowercase key in extra is not allowed: ${goQuote(key)}`;
  return values.includes('') ? 'the empty string value in extra is not allowed' : undefined;
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
