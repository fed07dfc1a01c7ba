import { command } from '../command.ts';
import { flagList } from '@coxswain/cobra/help/grouped-style.ts';

export const options = command({
  use: 'options',
  short: 'Print the flags that all commands share',
  disableFlagsInUseLine: true,
  run({ context, node, io }) {
    const inherited = node.flags.all().filter(({ origin }) => origin === 'inherited');
    context.print(
      `The following options can be passed to any command:\n\n${flagList(inherited, io.columns)}`,
    );
  },
});
