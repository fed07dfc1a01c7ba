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
import type { ProgramIo } from '../../program/program-io.ts';
import { kubeconfigFlag, withCluster } from './token-client.ts';

const command = commandFor<ProgramIo>();

export const create = command({
  use: 'create [TOKEN]',
  short: 'Create a token',
  long: 'Creates a token that machines can join with and prints it. Generates a random token unless you give one.',
  example:
    '  coxswain token create --print-join-command\n  coxswain token create --ttl=1h --description="for rack 4"',
  args: maximumArgs(1),
  flags: {
    kubeconfig: kubeconfigFlag,
    ttl: duration({
      default: tokenTtlMsDefault,
      usage: 'How long the token is valid. 0 means it never expires.',
    }),
    description: string({ usage: 'A description of the token.' }),
    usages: stringSlice({ default: tokenUsages, usage: 'What the token can be used for.' }),
    groups: stringSlice({ default: [joinersGroup], usage: 'The groups that users of the token belong to.' }),
    printJoinCommand: bool({ usage: 'Print the full join command instead of the token.' }),
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
