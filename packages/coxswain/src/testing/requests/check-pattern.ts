/** Checks a request pattern that would otherwise match nothing, or everything. */

import { checkWords, shown, wordsOf } from '../known-words.ts';
import type { RequestPattern } from '../../../types/testing.d.ts';

export const patternWords = wordsOf<RequestPattern>({
  user: true,
  verb: true,
  resource: true,
  namespace: true,
  name: true,
});

/** Verbs of resources, and methods of other paths. */
const verbs = [
  'get',
  'list',
  'watch',
  'create',
  'update',
  'patch',
  'delete',
  'deletecollection',
  'connect',
  'post',
  'put',
  'head',
  'options',
];

/** @throws TypeError for a value that is no text, and for an unknown verb */
export function checkPattern(what: string, pattern: RequestPattern): void {
  for (const name of patternWords) {
    const wanted = pattern[name as keyof RequestPattern];
    if (wanted !== undefined && ![wanted].flat().every((one) => typeof one === 'string'))
      throw new TypeError(
        `the ${name} of ${what} must be a string or a list of strings, not ${shown(wanted)}`,
      );
  }
  const unknown = [pattern.verb ?? []].flat().find((verb) => verb !== '*' && !verbs.includes(verb));
  if (unknown !== undefined)
    throw new TypeError(`the verb of ${what} must be one of ${verbs.join(', ')}, not ${shown(unknown)}`);
}

/** @throws TypeError also for an unknown field */
export function checkRequestPattern(pattern: RequestPattern): void {
  checkWords('a pattern of requests', pattern, patternWords);
  checkPattern('a pattern of requests', pattern);
}
