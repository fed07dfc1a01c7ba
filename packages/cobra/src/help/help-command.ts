import type { Command } from '../command/command.ts';
import { rootOf } from '../command/command-node.ts';
import { findCommand } from '../command/find.ts';
import { helpText, usageText } from './help-text.ts';

/** `program help COMMAND` */
export const helpCommand = <C>(): Command<C> => ({
  kind: 'command',
  use: 'help [command]',
  short: 'Help about any command',
  hidden: true,
  async run({ node, args, io }) {
    const root = rootOf(node);
    const found = await findCommand(root, args).catch(() => undefined);
    if (found === undefined) {
      io.err.write(`Unknown help topic [${args.map((word) => `\`${word}\``).join(' ')}]\n`);
      io.err.write(await usageText(root, io.columns));
      return;
    }
    io.out.write(await helpText(found.node, io.columns));
  },
});
