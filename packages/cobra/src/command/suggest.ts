import { childrenOf, isAvailable, nameOf } from './command-node.ts';
import type { CommandNode } from './command.ts';

/** The maximum edit distance of a suggestion (cobra's default). */
const distanceMax = 2;

/** Names of commands that `typed` may have meant. */
export function suggestionsFor(node: CommandNode<never>, typed: string): string[] {
  const wanted = typed.toLowerCase();
  return childrenOf(node)
    .filter((child) => isAvailable(child))
    .filter((child) => {
      const name = nameOf(child).toLowerCase();
      return (
        editDistance(wanted, name) <= distanceMax ||
        name.startsWith(wanted) ||
        child.suggestFor?.some((wrong) => wrong.toLowerCase() === wanted)
      );
    })
    .map((child) => nameOf(child));
}

export function suggestionsText(node: CommandNode<never>, typed: string): string {
  const names = suggestionsFor(node, typed);
  return names.length === 0 ? '' : `\n\nDid you mean this?\n${names.map((name) => `\t${name}\n`).join('')}`;
}

/** The Levenshtein distance. */
export function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const cost = from[i - 1] === to[j - 1] ? 0 : 1;
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + cost));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
