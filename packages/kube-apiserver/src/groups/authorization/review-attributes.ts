/** The question of an access review as the authorizer takes it. */
import { invalidError } from '@coxswain/apimachinery';
import type { FieldError } from '@coxswain/apimachinery';
import type { AuthorizationAttributes, Authorizer, UserInfo } from '@coxswain/apiserver';
import type { ResourceAttributes } from '@coxswain/api/authorization/v1/resource-attributes.ts';
import type { NonResourceAttributes } from '@coxswain/api/authorization/v1/non-resource-attributes.ts';

export interface Question {
  readonly resourceAttributes?: ResourceAttributes;
  readonly nonResourceAttributes?: NonResourceAttributes;
}

export function attributesOf(user: UserInfo, question: Question): AuthorizationAttributes {
  const { resourceAttributes: resource, nonResourceAttributes: other } = question;
  return {
    user,
    verb: (resource ?? other)?.verb ?? '',
    namespace: resource?.namespace ?? '',
    group: resource?.group ?? '',
    version: resource?.version || (resource === undefined ? '' : '*'),
    resource: resource?.resource ?? '',
    subresource: resource?.subresource ?? '',
    name: resource?.name ?? '',
    isResourceRequest: resource !== undefined,
    path: other?.path ?? '',
  };
}

export async function accessStatus(authorizer: Authorizer, attributes: AuthorizationAttributes) {
  const decision = await authorizer.decide(attributes);
  return {
    allowed: decision.kind === 'allow',
    ...(decision.kind === 'deny' ? { denied: true } : {}),
    ...(decision.reason === '' ? {} : { reason: decision.reason }),
  };
}

/** As the original prints the attributes: by the names of its fields. */
export const printedPath = ({ path, verb }: { readonly path?: string; readonly verb?: string }): object => ({
  Path: path ?? '',
  Verb: verb ?? '',
});

export function questionErrors({ resourceAttributes, nonResourceAttributes }: Question): FieldError[] {
  if (resourceAttributes && nonResourceAttributes) {
    return [
      invalidError(
        'spec.nonResourceAttributes',
        printedPath(nonResourceAttributes),
        'cannot be specified in combination with resourceAttributes',
      ),
    ];
  }
  return resourceAttributes || nonResourceAttributes
    ? []
    : [
        invalidError(
          'spec.resourceAttributes',
          null,
          'exactly one of nonResourceAttributes or resourceAttributes must be specified',
        ),
      ];
}

export interface Subject {
  readonly user?: string;
  readonly groups?: readonly string[];
  readonly uid?: string;
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

export const subjectErrors = ({ user, groups }: Subject): FieldError[] =>
  user || groups?.length
    ? []
    : [invalidError('spec.user', user ?? '', 'at least one of user or group must be specified')];

export const userOf = ({ user = '', groups = [], uid, extra }: Subject): UserInfo => ({
  name: user,
  groups,
  ...(uid === undefined ? {} : { uid }),
  ...(extra === undefined ? {} : { extra }),
});
