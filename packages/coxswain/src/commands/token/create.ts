import { systemClock } from '@coxswain/apimachinery';
import { bool, commandFor, duration, maximumArgs, string, stringSlice } from '@coxswain/cobra';
import {
  formatBootstrapToken,
  joinersGroup,
  newBootstrapToken,
  parseBootstrapToken,
  tokenTtlMsDefault,
  tokenUsages,
} from '../../joining/bootstrap-token.ts';
import { joinCommand, storeNewToken } from '../../joining/stored-tokens.ts';
import type { ProgramIo } from '../../program-io.ts';
import { kubeconfigFlag, withCluster } from './token-client.ts';

const command = commandFor<ProgramIo>();

export const create = command({
  use: 'create [TOKEN]',
  short: 'Make a token',
  long: 'Makes a token by which machines join, and prints it. Without one of your own, it is a random one.',
  example:
    '  coxswain token create --print-join-command\n  coxswain token create --ttl=1h --description="for rack 4"',
  args: maximumArgs(1),
  flags: {
    kubeconfig: kubeconfigFlag,
    ttl: duration({ default: tokenTtlMsDefault, usage: 'How long it is good; 0 for ever.' }),
    description: string({ usage: 'What it is for.' }),
    usages: stringSlice({ default: tokenUsages, usage: 'What it is good for.' }),
    groups: stringSlice({ default: [joinersGroup], usage: 'The groups that those who show it are in.' }),
    printJoinCommand: bool({ usage: 'Print what to type on the machine that is to join.' }),
  },
  async run({ context: io, args: [text], flags }) {
    const token = text === undefined ? newBootstrapToken() : parseBootstrapToken(text);
    const { ttl: ttlMs, description, usages, groups } = flags;
    const printed = await withCluster(io, flags.kubeconfig, async (client) => {
      await storeNewToken(client, token, { ttlMs, description, usages, groups }, systemClock.now());
      return flags.printJoinCommand ? joinCommand(client, token) : formatBootstrapToken(token);
    });
    io.out.write(`${printed}\n`);
  },
});
