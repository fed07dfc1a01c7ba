/** Commands that are known but not built yet: they say so, and do nothing else. */
import type { Command } from '@coxswain/cobra';
import { command } from '../command.ts';
import type { CommandContext } from '../context.ts';

const notBuilt = (name: string, use: string): Command<CommandContext> =>
  command({
    use,
    long: `kubectl ${name} is not implemented yet.`,
    disableFlagParsing: true,
    run({ args, io, help }) {
      if (args.includes('--help') || args.includes('-h'))
        return help().then((text) => void io.out.write(text));
      throw new Error(`kubectl ${name} is not implemented yet`);
    },
  });

