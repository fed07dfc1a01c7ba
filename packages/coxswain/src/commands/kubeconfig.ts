/** `coxswain kubeconfig`: prints how clients reach a cluster on this machine. */

import { existsSync } from 'node:fs';
import path from 'node:path';
import { commandFor, knownCommand, noArgs, string } from '@coxswain/cobra';
import { defaultDataDirectory, kubeconfigIn } from '../local/data-directory.ts';
import type { ProgramIo } from '../program/program-io.ts';
import { contextNameOf, mergeContext, removeContext } from '../local/user-kubeconfig.ts';

const command = commandFor<ProgramIo>();

const dataDir = string({
  usage: 'The data directory of the cluster. Defaults to $XDG_DATA_HOME/coxswain or ~/.local/share/coxswain.',
});
const context = string({
  usage:
    'The name of the context. Defaults to "coxswain", or "coxswain-" and the name of the data directory if that is not the default.',
});

interface Which {
  readonly dataDir: string;
  readonly context: string;
}

const directoryOf = (io: ProgramIo, flags: Pick<Which, 'dataDir'>): string =>
  path.resolve(flags.dataDir || defaultDataDirectory(io.env));
const nameOf = (io: ProgramIo, flags: Which): string =>
  flags.context || contextNameOf(directoryOf(io, flags), io.env);

/** @throws Error if no cluster has run there */
function ownFile(io: ProgramIo, flags: Pick<Which, 'dataDir'>): string {
  const file = kubeconfigIn(directoryOf(io, flags));
  if (!existsSync(file)) throw new Error(`no kubeconfig in ${path.dirname(file)}: no cluster has run there`);
  return file;
}

export const kubeconfig = command({
  use: 'kubeconfig',
  short: 'Add a cluster to your kubeconfig, or remove it',
  args: knownCommand,
  commands: [
    command({
      use: 'path',
      short: "Print the path of the cluster's own kubeconfig",
      example: '  export KUBECONFIG=$(coxswain kubeconfig path)',
      args: noArgs,
      flags: { dataDir },
      run: ({ context: io, flags }) => void io.out.write(`${ownFile(io, flags)}\n`),
    }),
    command({
      use: 'merge',
      short: 'Add the cluster to ~/.kube/config, or to the files in $KUBECONFIG',
      long: 'Adds the cluster to ~/.kube/config, or to the files in $KUBECONFIG. Nothing else in these files changes; the context\nbecomes the current context if there is none.',
      example: '  coxswain kubeconfig merge\n  kubectl --context=coxswain get nodes',
      args: noArgs,
      flags: { dataDir, context },
      run({ context: io, flags }) {
        const name = nameOf(io, flags);
        const { file, isCurrent } = mergeContext(ownFile(io, flags), name, io.env);
        io.out.write(
          `Context "${name}" added to ${file}${isCurrent ? '; it is the current context' : ''}.\n`,
        );
      },
    }),
    command({
      use: 'remove',
      short: 'Remove the cluster from ~/.kube/config, or from the files in $KUBECONFIG',
      example: '  coxswain kubeconfig remove',
      args: noArgs,
      flags: { dataDir, context },
      run({ context: io, flags }) {
        const name = nameOf(io, flags);
        const isGone = removeContext(name, io.env);
        io.out.write(isGone ? `Context "${name}" removed.\n` : `There is no context "${name}".\n`);
      },
    }),
  ],
});
