/** How command lines that start another program name it. */
import { readOptions } from './declared-options.ts';

interface Starter {
  /** Its options, as for `getopt`. */
  readonly letters: string;
  /** The number of operands before the name. */
  readonly operandsBefore: number;
  /** Operands before the name that assign variables. */
  readonly assigns?: boolean;
}

export const starters: Readonly<Record<string, Starter>> = {
  command: { letters: 'p', operandsBefore: 0 },
  env: { letters: 'iu:0', operandsBefore: 0, assigns: true },
  exec: { letters: '', operandsBefore: 0 },
  nice: { letters: 'n:', operandsBefore: 0 },
  nohup: { letters: '', operandsBefore: 0 },
  time: { letters: 'pvf:o:', operandsBefore: 0 },
  timeout: { letters: 's:k:', operandsBefore: 1 },
  xargs: { letters: '0a:rtpE:e:I:n:L:s:P:xd:', operandsBefore: 0 },
};

/** The program that such a program starts, and its arguments; empty if it starts none. */
export function startedBy(starter: Starter, words: readonly string[]): readonly string[] {
  const { operands } = readOptions({ letters: starter.letters, isPrefix: true }, words);
  return operands.slice(starter.operandsBefore + (starter.assigns ? assignmentsIn(operands).length : 0));
}

export const assignmentsIn = (words: readonly string[]): readonly string[] => {
  const end = words.findIndex((word) => !/^[A-Za-z_]\w*=/.test(word));
  return words.slice(0, end < 0 ? words.length : end);
};
