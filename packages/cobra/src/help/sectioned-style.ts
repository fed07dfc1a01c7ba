/** The style of the servers: options under the headings of their sections. */
import type { CommandNode, HelpStyle } from '../command/command.ts';
import type { FlagState } from '../command/flag-set.ts';
import { flagUsages } from './flag-usages.ts';
import { useLine } from './use-line.ts';

export const sectionedStyle: HelpStyle = {
  help: (node, columns) => `${node.command.long ?? ''}\n\n${sectionedStyle.usage(node, columns)}`,
  usage: (node, columns) => `Usage:\n  ${useLine(node)}\n${sections(node, columns)}`,
};

/** Options without a section are listed under `Global`. */
function sections(node: CommandNode<never>, columns?: number): string {
  const byHeading = new Map<string, FlagState[]>();
  for (const state of node.flags.declared()) {
    const heading = state.flag.section ?? 'Global';
    byHeading.set(heading, [...(byHeading.get(heading) ?? []), state]);
  }
  return [...byHeading]
    .map(([heading, states]) => {
      const sorted = states.sort((a, b) => (a.name < b.name ? -1 : 1));
      const title = heading.charAt(0).toUpperCase() + heading.slice(1);
      return `\n${title} flags:\n\n${flagUsages(sorted, columns)}`;
    })
    .join('');
}
