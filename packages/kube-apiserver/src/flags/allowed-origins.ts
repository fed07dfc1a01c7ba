/** `--cors-allowed-origins`: regular expressions that must anchor the beginning and the end of the host. */

import { messageOf } from '@coxswain/apimachinery/message-of.ts';

const help =
  'each is a regular expression that says where the host of the origin begins and where it ends, such as //example.com(:|$)';

/** The problem of the pattern, if any. */
export function originProblem(pattern: string): string | undefined {
  if (pattern === '') return `empty value in --cors-allowed-origins, help: ${help}`;
  const problem = patternProblem(pattern) ?? pinProblem(pattern);
  return problem && `--cors-allowed-origins has an invalid regular expression: ${problem}, help: ${help}`;
}

/** Go has flags inside the pattern: `(?i)//example.com$`. */
export function originPattern(pattern: string): RegExp {
  const [, flags = '', rest = ''] = /^(?:\(\?([ims]+)\))?(.*)$/s.exec(pattern)!;
  return new RegExp(rest, flags);
}

function patternProblem(pattern: string): string | undefined {
  try {
    originPattern(pattern);
    return undefined;
  } catch (failure) {
    return `error parsing regexp: ${goProblem(messageOf(failure), pattern)}`;
  }
}

/** Go's messages for the most frequent mistakes; others get V8's message. */
const goProblems: readonly (readonly [v8: RegExp, inGo: string, reported: RegExp | undefined])[] = [
  [/Unterminated character class/, 'missing closing ]', /\[[^\]]*$/],
  [/Unterminated group/, 'missing closing )', /^.*$/s],
  [/Unmatched '\)'/, 'unexpected )', /^.*$/s],
  [/Nothing to repeat/, 'missing argument to repetition operator', /[*+?]/],
  [/\\ at end of pattern/, 'trailing backslash at end of expression', undefined],
];

function goProblem(message: string, pattern: string): string {
  const known = goProblems.find(([v8]) => v8.test(message));
  if (known === undefined) return message;
  const [, inGo, reported] = known;
  return `${inGo}: \`${reported === undefined ? '' : (reported.exec(pattern)?.[0] ?? pattern)}\``;
}

/** Without an end anchor, `example.com` would also match `example.com.evil.org`. */
const pinProblem = (pattern: string): string | undefined =>
  /\^|\/\//.test(pattern) && /[$:]/.test(pattern)
    ? undefined
    : 'regular expression does not pin to start/end of host in the origin header';
