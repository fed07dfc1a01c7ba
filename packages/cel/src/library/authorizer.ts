/** `authorizer.group('apps').resource('deployments').check('create').allowed()` */

import { checkDnsLabel, checkDnsSubdomain } from '@coxswain/apimachinery/names.ts';
import type { Library } from '../declarations/library.ts';
import { declareFunction, overload, type Overload } from '../declarations/declaration.ts';
import { structType, type CelType } from '../types/type.ts';
import { CelError } from '../values/error.ts';
import { OpaqueValue, type Value } from '../values/value.ts';

/** An authorization check: a path, or a resource of a group in any version. Empty strings mean unset. */
export type AuthorizationQuestion = {
  /** Absent for the user of the request. */
  readonly serviceAccount?: { readonly namespace: string; readonly name: string };
  readonly verb: string;
} & ({ readonly kind: 'path'; readonly path: string } | ({ readonly kind: 'resource' } & ResourceQuestion));

export interface ResourceQuestion {
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  /** As written; the host ignores a selector that can't be parsed. */
  readonly fieldSelector: string;
  readonly labelSelector: string;
}

export interface AuthorizationAnswer {
  readonly isAllowed: boolean;
  readonly reason: string;
  readonly error?: string;
}

/** Supplied by the host; synchronous. */
export type Authorizer = (question: AuthorizationQuestion) => AuthorizationAnswer;

type ServiceAccount = { readonly namespace: string; readonly name: string } | undefined;

const typeNamed = (name: string): CelType => structType(`kubernetes.authorization.${name}`);

export const authorizerType = typeNamed('Authorizer');
export const resourceCheckType = typeNamed('ResourceCheck');

/** Nothing is equal to these, and comparing them is an error. */
abstract class Check extends OpaqueValue {
  equals(other: Value): boolean {
    return other === this;
  }

  override isComparableTo(): boolean {
    return false;
  }
}

class AuthorizerValue extends Check {
  readonly type = authorizerType;
  readonly authorize: Authorizer;
  readonly serviceAccount: ServiceAccount;

  constructor(authorize: Authorizer, serviceAccount: ServiceAccount) {
    super();
    this.authorize = authorize;
    this.serviceAccount = serviceAccount;
  }

  ask(question: Omit<AuthorizationQuestion, 'serviceAccount'>): Decision {
    const { serviceAccount } = this;
    const full = { ...question, ...(serviceAccount && { serviceAccount }) } as AuthorizationQuestion;
    return new Decision(this.authorize(full));
  }
}

class PathCheck extends Check {
  readonly type = typeNamed('PathCheck');
  readonly authorizer: AuthorizerValue;
  readonly path: string;

  constructor(authorizer: AuthorizerValue, path: string) {
    super();
    this.authorizer = authorizer;
    this.path = path;
  }
}

class GroupCheck extends Check {
  readonly type = typeNamed('GroupCheck');
  readonly authorizer: AuthorizerValue;
  readonly group: string;

  constructor(authorizer: AuthorizerValue, group: string) {
    super();
    this.authorizer = authorizer;
    this.group = group;
  }
}

class ResourceCheck extends Check {
  readonly type = resourceCheckType;
  readonly authorizer: AuthorizerValue;
  readonly question: ResourceQuestion;

  constructor(authorizer: AuthorizerValue, question: ResourceQuestion) {
    super();
    this.authorizer = authorizer;
    this.question = question;
  }

  with(change: Partial<ResourceQuestion>): ResourceCheck {
    return new ResourceCheck(this.authorizer, { ...this.question, ...change });
  }
}

class Decision extends Check {
  readonly type = typeNamed('Decision');
  readonly answer: AuthorizationAnswer;

  constructor(answer: AuthorizationAnswer) {
    super();
    this.answer = answer;
  }
}

/** The variable `authorizer`. */
export const authorizerValue = (authorize: Authorizer): Value => new AuthorizerValue(authorize, undefined);

const emptyQuestion: ResourceQuestion = {
  group: '',
  resource: '',
  subresource: '',
  namespace: '',
  name: '',
  fieldSelector: '',
  labelSelector: '',
};

/** The variable `authorizer.requestResource`: the resource of the request. */
export const requestResourceValue = (authorize: Authorizer, question: Partial<ResourceQuestion>): Value =>
  new ResourceCheck(new AuthorizerValue(authorize, undefined), { ...emptyQuestion, ...question });

const isBlank = (text: string): boolean => text.trim() === '';

function serviceAccount({ authorize }: AuthorizerValue, namespace: string, name: string): Value {
  if (checkDnsSubdomain(name).length > 0) return new CelError('Invalid service account name');
  if (checkDnsLabel(namespace).length > 0) return new CelError('Invalid service account namespace');
  return new AuthorizerValue(authorize, { namespace, name });
}

const authorization = 'kubernetes.authorization';
const onResource = `${authorization}.ResourceCheck.(string) -> ${authorization}.ResourceCheck`;

const refinement = (id: string, field: keyof ResourceQuestion): Overload =>
  overload(id, onResource, (check: ResourceCheck, text: string) => check.with({ [field]: text }));

const onDecision = (id: string, type: string, read: (answer: AuthorizationAnswer) => Value): Overload =>
  overload(id, `${authorization}.Decision.() -> ${type}`, ({ answer }: Decision) => read(answer));

export const authorizerLibrary: Library = {
  functions: [
    declareFunction('path', [
      overload(
        'authorizer_path',
        `${authorization}.Authorizer.(string) -> ${authorization}.PathCheck`,
        (authorizer: AuthorizerValue, path: string) =>
          isBlank(path) ? new CelError('path must not be empty') : new PathCheck(authorizer, path),
      ),
    ]),
    declareFunction('group', [
      overload(
        'authorizer_group',
        `${authorization}.Authorizer.(string) -> ${authorization}.GroupCheck`,
        (authorizer: AuthorizerValue, group: string) => new GroupCheck(authorizer, group),
      ),
    ]),
    declareFunction('serviceAccount', [
      overload(
        'authorizer_serviceaccount',
        `${authorization}.Authorizer.(string, string) -> ${authorization}.Authorizer`,
        serviceAccount,
      ),
    ]),
    declareFunction('resource', [
      overload(
        'groupcheck_resource',
        `${authorization}.GroupCheck.(string) -> ${authorization}.ResourceCheck`,
        ({ authorizer, group }: GroupCheck, resource: string) =>
          isBlank(resource)
            ? new CelError('resource must not be empty')
            : new ResourceCheck(authorizer, { ...emptyQuestion, group, resource }),
      ),
    ]),
    declareFunction('subresource', [refinement('resourcecheck_subresource', 'subresource')]),
    declareFunction('namespace', [refinement('resourcecheck_namespace', 'namespace')]),
    declareFunction('name', [refinement('resourcecheck_name', 'name')]),
    declareFunction('fieldSelector', [refinement('authorizer_fieldselector', 'fieldSelector')]),
    declareFunction('labelSelector', [refinement('authorizer_labelselector', 'labelSelector')]),
    declareFunction('check', [
      overload(
        'pathcheck_check',
        `${authorization}.PathCheck.(string) -> ${authorization}.Decision`,
        ({ authorizer, path }: PathCheck, verb: string) =>
          authorizer.ask({ kind: 'path', path, verb } as Omit<AuthorizationQuestion, 'serviceAccount'>),
      ),
      overload(
        'resourcecheck_check',
        `${authorization}.ResourceCheck.(string) -> ${authorization}.Decision`,
        ({ authorizer, question }: ResourceCheck, verb: string) =>
          authorizer.ask({ kind: 'resource', ...question, verb } as Omit<
            AuthorizationQuestion,
            'serviceAccount'
          >),
      ),
    ]),
    declareFunction('errored', [onDecision('decision_errored', 'bool', ({ error }) => error !== undefined)]),
    declareFunction('error', [onDecision('decision_error', 'string', ({ error }) => error ?? '')]),
    declareFunction('allowed', [onDecision('decision_allowed', 'bool', ({ isAllowed }) => isAllowed)]),
    declareFunction('reason', [onDecision('decision_reason', 'string', ({ reason }) => reason)]),
  ],
};
