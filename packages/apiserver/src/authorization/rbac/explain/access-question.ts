/** The access to explain, from a command's arguments: `get`, `pods/log`, `-n shop`. */
import type { RestMapper } from '@coxswain/client';
import type { UserInfo } from '../../../user.ts';
import type { AuthorizationAttributes } from '../../authorizer.ts';

export interface AccessQuestion {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  readonly name: string;
  /** Empty for all namespaces, or for cluster-scoped resources. */
  readonly namespace: string;
  /** A path such as `/metrics`, in place of a resource. */
  readonly path: string;
}

export interface AskedFor {
  readonly verb: string;
  /** `pods`, `deployments.apps`, `pods/log`, `/metrics` */
  readonly what: string;
  readonly name: string;
  readonly namespace: string;
}

/** @throws Error for a resource that the server doesn't serve */
export function accessQuestion(
  { verb, what, name, namespace }: AskedFor,
  mapper: RestMapper,
): AccessQuestion {
  const nothing = { group: '', resource: '', subresource: '', name: '', namespace: '', path: '' };
  if (what.startsWith('/')) return { ...nothing, verb, path: what };
  const [type = '', subresource = ''] = what.split('/');
  if (type === '*') return { ...nothing, verb, group: '*', resource: '*', subresource, name, namespace };
  const { group, resource, namespaced } = mapper.resourceFor(type);
  return { verb, group, resource, subresource, name, namespace: namespaced ? namespace : '', path: '' };
}

export const attributesOf = (
  { path, ...question }: AccessQuestion,
  user: UserInfo,
): AuthorizationAttributes => ({
  ...question,
  user,
  version: '*',
  isResourceRequest: path === '',
  path,
  observer: undefined,
});

/** `delete pods "web" in namespace shop` */
export function questionText({
  verb,
  group,
  resource,
  subresource,
  name,
  namespace,
  path,
}: AccessQuestion): string {
  if (path !== '') return `${verb} ${path}`;
  const type = `${resource}${group === '' || group === '*' ? '' : `.${group}`}`;
  const whole = subresource === '' ? type : `${type}/${subresource}`;
  return `${verb} ${whole}${name === '' ? '' : ` "${name}"`}${namespace === '' ? '' : ` in namespace ${namespace}`}`;
}
