/**
 * What the original says of a configuration that does not fit its schema depends on the order in which it walks maps,
 * which is random: the lines come in any order, and in an object with a member that nobody declared they end there.
 */

const refusal = /^(failed to create typed patch object \(.*?\): )(?:errors:\n)?(.*)$/s;
const undeclared = 'field not declared in schema';

/** Whether both may be answers to the same configuration. */
export function isSameRefusal(one: unknown, other: unknown): boolean {
  const [a, b] = [one, other].map((text) => (typeof text === 'string' ? refusal.exec(text) : null));
  if (!a || !b || a[1] !== b[1]) return false;
  const [linesOfOne, linesOfOther] = [a, b].map(([, , lines = '']) => linesOf(lines));
  if (linesOfOne!.some((line) => line.endsWith(undeclared)))
    return linesOfOther!.some((line) => line.endsWith(undeclared));
  return linesOfOne!.join('\n') === linesOfOther!.join('\n');
}

const linesOf = (text: string): readonly string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .sort();
