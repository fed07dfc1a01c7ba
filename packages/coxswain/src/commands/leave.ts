/** `coxswain leave`: undoes what `coxswain join` has set up. */
import { commandFor, noArgs, string } from '@coxswain/cobra';
import { kubeletConfigUsage, kubeletSettingsIn } from '../nodes/kubelet-settings.ts';
import type { ProgramIo } from '../program/program-io.ts';
import { cniConfDirFlag, nodeDirectoryFlag, runtimeEndpointFlag } from './node-flags.ts';

const command = commandFor<ProgramIo>();

export const leave = command({
  use: 'leave',
  short: 'Remove everything that joining left on this machine',
  long: 'Stops the pods on this machine and removes what "coxswain join" left behind: mounts, packet filter rules, routes, the\npod network, control groups and keys. Stop "coxswain join" first. The Node object remains: drain the node before, and\ndelete it afterwards, with kubectl.',
  example: '  kubectl drain NODE --ignore-daemonsets\n  coxswain leave\n  kubectl delete node NODE',
  args: noArgs,
  flags: {
    dataDir: nodeDirectoryFlag,
    containerRuntimeEndpoint: runtimeEndpointFlag,
    cniConfDir: cniConfDirFlag,
    kubeletConfig: string({ usage: kubeletConfigUsage }),
  },
  async run({ context: io, flags }) {
    if (process.getuid?.() !== 0) throw new Error('leaving requires root, as joining does');
    const { joinedBy, leaveCluster } = await import('../joining/leave-cluster.ts');
    const id = await joinedBy(flags.dataDir);
    if (id !== undefined)
      throw new Error(`this machine is still a node: stop "coxswain join" (process ${id}) first`);
    const { cgroupRoot = '' } = await kubeletSettingsIn(flags.kubeletConfig);
    const isWhole = await leaveCluster({
      directory: flags.dataDir,
      runtimeEndpoint: flags.containerRuntimeEndpoint,
      networkDirectory: flags.cniConfDir,
      cgroupRoot,
      log: (line) => void io.out.write(`${line}\n`),
    });
    if (!isWhole) throw new Error('not everything could be removed; see the messages above');
  },
});
