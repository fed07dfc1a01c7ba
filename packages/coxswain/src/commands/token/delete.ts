import { commandFor, minimumArgs } from '@coxswain/cobra';
import { deleteToken } from '../../joining/stored-tokens.ts';
import type { ProgramIo } from '../../program/program-io.ts';
import { kubeconfigFlag, withCluster } from './token-client.ts';

const command = commandFor<ProgramIo>();

export const deleteCommand = command({
  use: 'delete TOKEN-ID...',
  short: 'Delete tokens so that they can no longer be used',
  long: 'Deletes tokens by ID (the part before the dot). Machines that have already joined remain nodes.',
  args: minimumArgs(1),
  flags: { kubeconfig: kubeconfigFlag },
  async run({ context: io, args, flags }) {
    await withCluster(io, flags.kubeconfig, async (client) => {
      for (const text of args) io.out.write(`bootstrap token "${await deleteToken(client, text)}" deleted\n`);
    });
  },
});
