/** Who somebody is to the server, by the name alone. */

import type { UserInfo } from '@coxswain/apiserver';
import type { AsUser } from '../../types/testing.d.ts';

export type { AsUser } from '../../types/testing.d.ts';

const authenticated = 'system:authenticated';
const serviceAccountPattern = /^system:serviceaccount:([^:]+):[^:]+$/;

export function userOf(user: AsUser): UserInfo {
  const { name, groups = [] } = typeof user === 'string' ? { name: user } : user;
  const namespace = serviceAccountPattern.exec(name)?.[1];
  const own =
    namespace === undefined ? [] : ['system:serviceaccounts', `system:serviceaccounts:${namespace}`];
  return { name, groups: [...new Set([...own, ...groups, authenticated])] };
}
