import type { Command, LazyCommand, ListedCommand, CommandNode } from '../command/command.ts';
import { childrenOf, isAvailable, nameOf, sortedChildren } from '../command/command-node.ts';

/** Names are padded to at least this many columns (cobra's default). */
const namePaddingMin = 11;

type Entry = Command<never> | LazyCommand<never>;

/** `  name   description` for each command that is neither hidden nor deprecated. */
export function commandLines(
  node: CommandNode<never>,
  entries: readonly Entry[] = sortedChildren(node),
): string[] {
  const width = Math.max(
    namePaddingMin,
    ...childrenOf(node)
      .filter((entry) => !isBuiltIn(entry))
      .map((entry) => nameOf(entry).length),
  );
  return entries
    .filter((entry) => isAvailable(entry))
    .map((entry) => `  ${nameOf(entry).padEnd(width)}   ${entry.short ?? ''}`);
}

/** Padded on its own, independently of the other lines. */
export const listedLine = ({ name, short }: ListedCommand): string =>
  `  ${name.padEnd(namePaddingMin)}   ${short}`;

const isBuiltIn = (entry: Entry): boolean => nameOf(entry).startsWith('__complete');

/** The commands under each heading, in the order of the headings; the rest last. */
export function commandGroups(
  node: CommandNode<never>,
  rest: string,
  left: readonly string[] = [],
): { heading: string; entries: Entry[] }[] {
  const entries = childrenOf(node).filter((entry) => entry.hidden !== true && !left.includes(nameOf(entry)));
  const headings = node.command.groups ?? [];
  const others = sortedChildren(node).filter(
    (entry) => entries.includes(entry) && entry.group === undefined && (entry.short ?? '') !== '',
  );
  const groups = headings.map((heading) => ({
    heading,
    entries: entries.filter((entry) => entry.group === heading),
  }));
  return others.length === 0 ? groups : [...groups, { heading: rest, entries: others }];
}
