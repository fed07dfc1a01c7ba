/** `coxswain kubeconfig`: how clients reach a cluster of this machine. */

import { existsSync } from 'node:fs';
import path from 'node:path';
import { commandFor, knownCommand, noArgs, string } from '@coxswain/cobra';
import { defaultDataFolder, kubeconfigIn } from '../data-directory.ts';
import type { ProgramIo } from '../program-io.ts';
import { contextNameOf, mergeContext, removeContext } from '../user-kubeconfig.ts';

const command = commandFor<ProgramIo>();

const dataDir = string({
  usage: 'The data directory of the cluster. The default is coxswain in the data directory of the user.',
});
const context = string({
  usage:
    'The name of the context; "coxswain", or "coxswain-" and the name of the data directory, when absent.',
});

interface Which {
  readonly dataDir: string;
  readonly context: string;
}

const folderOf = (io: ProgramIo, flags: Pick<Which, 'dataDir'>): string =>
  path.resolve(flags.dataDir || defaultDataFolder(io.env));
const nameOf = (io: ProgramIo, flags: Which): string =>
  flags.context || contextNameOf(folderOf(io, flags), io.env);

/** @throws Error where no cluster has run there */
function ownFile(io: ProgramIo, flags: Pick<Which, 'dataDir'>): string {
  const file = kubeconfigIn(folderOf(io, flags));
  if (!existsSync(file))
    throw new Error(`no cluster has run in ${path.dirname(file)}: there is no kubeconfig`);
  return file;
}

export const kubeconfig = command({
  use: 'kubeconfig',
  short: 'Put the context of a cluster into your kubeconfig, or take it out',
  args: knownCommand,
  commands: [
    command({
      use: 'path',
      short: "Print where the cluster's own kubeconfig is",
      example: '  export KUBECONFIG=$(coxswain kubeconfig path)',
      args: noArgs,
      flags: { dataDir },
      run: ({ context: io, flags }) => void io.out.write(`${ownFile(io, flags)}\n`),
    }),
    command({
      use: 'merge',
      short: 'Put the context of the cluster into ~/.kube/config, or the files of $KUBECONFIG',
      long: 'Puts the context of the cluster into ~/.kube/config, or the files of $KUBECONFIG. Everything else in there stays; the\ncontext becomes the current one where there is none.',
      example: '  coxswain kubeconfig merge\n  kubectl --context=coxswain get nodes',
      args: noArgs,
      flags: { dataDir, context },
      run({ context: io, flags }) {
        const name = nameOf(io, flags);
        const { file, isCurrent } = mergeContext(ownFile(io, flags), name, io.env);
        io.out.write(`Context "${name}" is in ${file}${isCurrent ? ', and is the current one' : ''}.\n`);
      },
    }),
    command({
      use: 'remove',
      short: 'Take the context of the cluster out of them',
      example: '  coxswain kubeconfig remove',
      args: noArgs,
      flags: { dataDir, context },
      run({ context: io, flags }) {
        const name = nameOf(io, flags);
        const isGone = removeContext(name, io.env);
        io.out.write(isGone ? `Context "${name}" is gone.\n` : `There is no context "${name}".\n`);
      },
    }),
  ],
});
