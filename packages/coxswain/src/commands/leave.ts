/** `coxswain leave`: the end of what `coxswain join` has begun. */
import { commandFor, noArgs, string } from '@coxswain/cobra';
import { kubeletConfigUsage, kubeletSettingsIn } from '../kubelet-settings.ts';
import type { ProgramIo } from '../program-io.ts';
import { cniConfDirFlag, nodeFolderFlag, runtimeEndpointFlag } from './node-flags.ts';

const command = commandFor<ProgramIo>();

export const leave = command({
  use: 'leave',
  short: 'Take everything of a joined node off this machine',
  long: 'Ends the pods of this machine and takes away what "coxswain join" has left: mounts, rules for packets, routes, the\nnetwork of pods, control groups, keys. Stop "coxswain join" before. The cluster still knows the node; drain it before\nand delete it after, with kubectl.',
  example: '  kubectl drain NODE --ignore-daemonsets\n  coxswain leave\n  kubectl delete node NODE',
  args: noArgs,
  flags: {
    dataDir: nodeFolderFlag,
    containerRuntimeEndpoint: runtimeEndpointFlag,
    cniConfDir: cniConfDirFlag,
    kubeletConfig: string({ usage: kubeletConfigUsage }),
  },
  async run({ context: io, flags }) {
    if (process.getuid?.() !== 0) throw new Error('to leave needs root, as to join does');
    const { joinedBy, leaveCluster } = await import('../joining/leave-cluster.ts');
    const id = await joinedBy(flags.dataDir);
    if (id !== undefined)
      throw new Error(`this machine is a node still: stop "coxswain join" (process ${id})`);
    const { cgroupRoot = '' } = await kubeletSettingsIn(flags.kubeletConfig);
    const isWhole = await leaveCluster({
      folder: flags.dataDir,
      runtimeEndpoint: flags.containerRuntimeEndpoint,
      networkFolder: flags.cniConfDir,
      cgroupRoot,
      log: (line) => void io.out.write(`${line}\n`),
    });
    if (!isWhole) throw new Error('something was left; what it was is told above');
  },
});
