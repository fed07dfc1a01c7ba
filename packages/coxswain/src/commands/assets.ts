import { commandFor, noArgs } from '@coxswain/cobra';
import type { ProgramIo } from '../program/program-io.ts';
import { writeAssets } from '../program/assets.ts';

const command = commandFor<ProgramIo>();

export const assets = command({
  use: 'assets',
  short: 'Print a directory with an executable for each program',
  long: 'Prints the path of a directory with the executables etcd, kube-apiserver, kubectl and the others, named as\nin Kubernetes. Point KUBEBUILDER_ASSETS there.',
  example: '  export KUBEBUILDER_ASSETS="$(coxswain assets)"\n  go test ./...',
  args: noArgs,
  run: async ({ io }) => void io.out.write(`${await writeAssets()}\n`),
});
