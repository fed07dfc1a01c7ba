/** Explains a denial: the user's bindings, what the nearest rules lack, and which grants would be enough. */
import type { UserInfo } from '../../../user.ts';
import type { BindingObject, PolicyRule, RoleObject, Subject } from '../objects.ts';
import { compileRule } from '../rule.ts';
import { attributesOf, questionText, type AccessQuestion } from './access-question.ts';
import { bindingText, isInForce, roleOf, roleText, type PolicyObjects } from './policy-objects.ts';

/** The server's answer to a SubjectAccessReview. */
export interface ServerAnswer {
  readonly allowed: boolean;
  readonly reason: string;
}

export interface NearRule {
  readonly binding: string;
  readonly role: string;
  /** `the verb is not among get, list` */
  readonly lacks: readonly string[];
}

export interface Explanation {
  /** Bindings of the user or one of its groups. */
  readonly bindings: readonly {
    readonly binding: string;
    readonly role: string;
    readonly isMissing: boolean;
  }[];
  /** Bindings in other namespaces that would allow it there. */
  readonly elsewhere: readonly string[];
  readonly nearest: readonly NearRule[];
  readonly allowedBy: readonly string[];
  readonly enough: PolicyRule;
  /** Existing roles that would allow it if they were bound, the smallest first: `ClusterRole edit`. */
  readonly roles: readonly string[];
  /** The command that binds the first of them. */
  readonly grant: string | undefined;
}

const nearestMax = 5;
const rolesMax = 5;

export function explainAccess(question: AccessQuestion, user: UserInfo, policy: PolicyObjects): Explanation {
  const attributes = attributesOf(question, user);
  const own = policy.bindings.filter((binding) => isBoundTo(binding, user));
  const allows = (binding: BindingObject) =>
    (roleOf(policy, binding)?.rules ?? []).some((rule) => compileRule(rule)(attributes));
  const here = own.filter((binding) => isInForce(binding, question.namespace));
  const enoughRoles = rolesThatAllow(policy, question.namespace, attributes);
  const near = here.flatMap((binding) =>
    (roleOf(policy, binding)?.rules ?? []).map((rule) => ({
      binding: bindingText(binding),
      role: roleText(binding),
      lacks: lacking(rule, question),
    })),
  );
  return {
    bindings: here.map((binding) => ({
      binding: bindingText(binding),
      role: roleText(binding),
      isMissing: roleOf(policy, binding) === undefined,
    })),
    elsewhere: own.filter((binding) => !here.includes(binding) && allows(binding)).map(bindingText),
    // A rule for the same resource is nearer than one that merely has the verb.
    nearest: near
      .filter(({ lacks }) => lacks.length === 1)
      .sort((a, b) => Number(isOfOtherResource(a)) - Number(isOfOtherResource(b)))
      .slice(0, nearestMax),
    allowedBy: here.filter(allows).map(bindingText),
    enough: enoughRule(question),
    roles: enoughRoles.slice(0, rolesMax).map(roleName),
    grant: enoughRoles[0] && grantCommand(enoughRoles[0], user, question.namespace),
  };
}

/** The roles that may be bound where the question is asked and allow it, except those of Kubernetes' components. */
const rolesThatAllow = (
  { roles }: PolicyObjects,
  namespace: string,
  attributes: ReturnType<typeof attributesOf>,
): readonly RoleObject[] =>
  roles
    .filter(({ metadata, rules }) => {
      const isHere = !metadata.namespace || metadata.namespace === namespace;
      const isOwn = metadata.name?.startsWith('system:') === true;
      return isHere && !isOwn && (rules ?? []).some((rule) => compileRule(rule)(attributes));
    })
    .toSorted((one, other) => extentOf(one) - extentOf(other));

/** A measure of what a role allows. */
const extentOf = ({ rules }: RoleObject): number =>
  (rules ?? []).reduce(
    (sum, { verbs = [], apiGroups = [], resources = [] }) =>
      sum + extentOfList(verbs) * extentOfList(apiGroups) * extentOfList(resources),
    0,
  );

const extentOfList = (list: readonly string[]): number => (list.includes('*') ? 100 : list.length);

const roleName = ({ metadata }: RoleObject): string =>
  `${metadata.namespace ? 'Role' : 'ClusterRole'} ${metadata.name}`;

const serviceAccount = /^system:serviceaccount:(?<account>[^:]+:(?<name>[^:]+))$/;

function grantCommand(
  { metadata: { name: role = '', namespace: home } }: RoleObject,
  { name }: UserInfo,
  namespace: string,
): string {
  const { account, name: accountName = name } = serviceAccount.exec(name)?.groups ?? {};
  const quoted = (text: string): string =>
    /^[\w:@.-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
  return [
    `kubectl create ${namespace === '' ? 'clusterrolebinding' : 'rolebinding'}`,
    quoted(`${accountName}-${role}`),
    `--${home ? 'role' : 'clusterrole'}=${quoted(role)}`,
    account === undefined ? `--user=${quoted(name)}` : `--serviceaccount=${account}`,
    ...(namespace === '' ? [] : [`--namespace=${namespace}`]),
  ].join(' ');
}

const isOfOtherResource = ({ lacks }: NearRule): boolean => lacks[0]!.startsWith('the resource');

function isBoundTo({ subjects, metadata }: BindingObject, { name, groups }: UserInfo): boolean {
  const isUser = (subject: Subject): boolean => {
    switch (subject.kind) {
      case 'User':
        return subject.name === name;
      case 'Group':
        return groups.includes(subject.name);
      default:
        return `system:serviceaccount:${subject.namespace || metadata.namespace}:${subject.name}` === name;
    }
  };
  return (subjects ?? []).some(isUser);
}

/** The parts of the rule that don't match the question. */
function lacking(
  rule: PolicyRule,
  { verb, group, resource, subresource, name, path }: AccessQuestion,
): string[] {
  const { verbs = [], apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] } = rule;
  const has = (list: readonly string[], ...wanted: readonly string[]) =>
    list.includes('*') || wanted.some((one) => list.includes(one));
  const whole = subresource === '' ? resource : `${resource}/${subresource}`;
  const lacks = (what: string, list: readonly string[]) =>
    `${what} is not among ${list.join(', ') || 'none'}`;
  if (path !== '') {
    return [
      ...(has(verbs, verb) ? [] : [lacks(`the verb ${verb}`, verbs)]),
      ...(compileRule({ ...rule, verbs: ['*'] })(
        attributesOf({ ...noQuestion, path }, { name: '', groups: [] }),
      )
        ? []
        : [lacks(`the path ${path}`, nonResourceURLs)]),
    ];
  }
  return [
    ...(has(verbs, verb) ? [] : [lacks(`the verb ${verb}`, verbs)]),
    ...(has(apiGroups, group)
      ? []
      : [
          lacks(
            `the API group "${group}"`,
            apiGroups.map((one) => `"${one}"`),
          ),
        ]),
    ...(has(resources, whole, `*/${subresource}`) ? [] : [lacks(`the resource ${whole}`, resources)]),
    ...(resourceNames.length === 0 || resourceNames.includes(name)
      ? []
      : [lacks(name === '' ? 'a request without a name' : `the name ${name}`, resourceNames)]),
  ];
}

const noQuestion: AccessQuestion = {
  verb: '',
  group: '',
  resource: '',
  subresource: '',
  name: '',
  namespace: '',
  path: '',
};

const enoughRule = ({ verb, group, resource, subresource, name, path }: AccessQuestion): PolicyRule =>
  path === ''
    ? {
        apiGroups: [group],
        resources: [subresource === '' ? resource : `${resource}/${subresource}`],
        verbs: [verb],
        ...(name === '' || verb === 'create' ? {} : { resourceNames: [name] }),
      }
    : { nonResourceURLs: [path], verbs: [verb] };

export function renderExplanation(
  question: AccessQuestion,
  user: UserInfo,
  answer: ServerAnswer,
  { bindings, elsewhere, nearest, allowedBy, enough, roles, grant }: Explanation,
): string {
  const section = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : ['', title, ...lines.map((line) => `  ${line}`)];
  const verdict = answer.allowed ? 'may' : 'may not';
  return [
    `${user.name} ${verdict} ${questionText(question)}.`,
    ...(answer.reason === '' ? [] : [`The server's reason: ${answer.reason}`]),
    ...section('Allowed by:', allowedBy),
    ...section(
      'Bindings of the user and their groups that apply:',
      bindings.length === 0
        ? ['none']
        : bindings.map(
            ({ binding, role, isMissing }) => `${binding} → ${role}${isMissing ? ' (not found)' : ''}`,
          ),
    ),
    ...(answer.allowed
      ? []
      : [
          ...section(
            'Rules that nearly match:',
            nearest.map(({ binding, role, lacks }) => `${role} (${binding}): ${lacks[0]}`),
          ),
          ...section('Allowed in another namespace by:', elsewhere),
          ...section('A rule that would grant access:', [JSON.stringify(enough)]),
          ...section('Roles that would grant access, the smallest first:', roles),
          ...section('To bind the first of them:', grant === undefined ? [] : [grant]),
        ]),
    '',
  ].join('\n');
}
