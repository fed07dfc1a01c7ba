/** `--cors-allowed-origins`: regular expressions that tell where a host begins and ends. */

import { messageOf } from '@coxswain/apimachinery/message-of.ts';

const help =
  'each is a regular expression that says where the host of the origin begins and where it ends, such as //example.com(:|$)';

/** What is wrong with it, if anything. */
export function originProblem(pattern: string): string | undefined {
  if (pattern === '') return `empty value in --cors-allowed-origins, help: ${help}`;
  const problem = patternProblem(pattern) ?? pinProblem(pattern);
  return problem && `--cors-allowed-origins has an invalid regular expression: ${problem}, help: ${help}`;
}

/** Go writes flags into the pattern: `(?i)//example.com$`. */
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

/** What Go calls the mistakes that are made most; others are told in the words of V8. */
const goProblems: readonly (readonly [v8: RegExp, inGo: string, told: RegExp | undefined])[] = [
  [/Unterminated character class/, 'missing closing ]', /\[[^\]]*$/],
  [/Unterminated group/, 'missing closing )', /^.*$/s],
  [/Unmatched '\)'/, 'unexpected )', /^.*$/s],
  [/Nothing to repeat/, 'missing argument to repetition operator', /[*+?]/],
  [/\\ at end of pattern/, 'trailing backslash at end of expression', undefined],
];

function goProblem(message: string, pattern: string): string {
  const known = goProblems.find(([v8]) => v8.test(message));
  if (known === undefined) return message;
  const [, inGo, told] = known;
  return `${inGo}: \`${told === undefined ? '' : (told.exec(pattern)?.[0] ?? pattern)}\``;
}

/** Without an end `example.com` would let in `example.com.evil.org`. */
const pinProblem = (pattern: string): string | undefined =>
  /\^|\/\//.test(pattern) && /[$:]/.test(pattern)
    ? undefined
    : 'regular expression does not pin to start/end of host in the origin header';
