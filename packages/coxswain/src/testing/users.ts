/** Who somebody is to the server, by the name alone. */

import type { UserInfo } from '@coxswain/apiserver';

/** A name, `system:serviceaccount:<namespace>:<name>`, or a user with groups. */
export type AsUser = string | { readonly name: string; readonly groups?: readonly string[] };

const authenticated = 'system:authenticated';
const serviceAccountPattern = /^system:serviceaccount:([^:]+):[^:]+$/;

export function userOf(user: AsUser): UserInfo {
  const { name, groups = [] } = typeof user === 'string' ? { name: user } : user;
  const namespace = serviceAccountPattern.exec(name)?.[1];
  const own =
    namespace === undefined ? [] : ['system:serviceaccounts', `system:serviceaccounts:${namespace}`];
  return { name, groups: [...new Set([...own, ...groups, authenticated])] };
}
