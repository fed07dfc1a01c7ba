/** Derives a user's identity from the name alone. */

import type { UserInfo } from '@coxswain/apiserver';
import { checkWords, shown, wordsOf } from './known-words.ts';
import type { AsUser } from '../../types/testing.d.ts';

export type { AsUser } from '../../types/testing.d.ts';

const authenticated = 'system:authenticated';
const serviceAccountPattern = /^system:serviceaccount:([^:]+):[^:]+$/;

/** @throws TypeError for a user without a name */
export function userOf(user: AsUser): UserInfo {
  if (typeof user !== 'string')
    checkWords('a user', user, wordsOf<Exclude<AsUser, string>>({ name: true, groups: true }));
  const { name, groups = [] } = typeof user === 'string' ? { name: user } : user;
  if (typeof name !== 'string' || name === '')
    throw new TypeError(`a user must be a name such as 'alice', not ${shown(name)}`);
  const namespace = serviceAccountPattern.exec(name)?.[1];
  const own =
    namespace === undefined ? [] : ['system:serviceaccounts', `system:serviceaccounts:${namespace}`];
  return { name, groups: [...new Set([...own, ...groups, authenticated])] };
}
