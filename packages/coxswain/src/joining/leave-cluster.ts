/** Removes what `coxswain join` has left on this machine, which is then no longer a node. */
import { existsSync } from 'node:fs';
import { readFile, readdir, rm, rmdir } from 'node:fs/promises';
import path from 'node:path';
import { systemClock } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { runNft } from '@coxswain/nftables';

export interface LeaveOptions {
  /** The directory of `coxswain join`. */
  readonly directory: string;
  readonly runtimeEndpoint: string;
  /** Where the container runtime looks for the pod network's configuration. */
  readonly networkDirectory: string;
  /** The parent of the pods' cgroups. */
  readonly cgroupRoot: string;
  readonly log: (line: string) => void;
}

/** Exists in the directory of a node while the node is running. */
export const runningFile = (directory: string): string => path.join(directory, 'join.pid');

/** Continues after steps that fail, and reports them. Resolves with whether all steps succeeded. */
export async function leaveCluster(options: LeaveOptions): Promise<boolean> {
  let isWhole = true;
  for (const { what, act } of steps(options))
    try {
      await act();
      options.log(`${what}: removed`);
    } catch (error) {
      isWhole = false;
      options.log(`${what}: ${messageOf(error)}`);
    }
  return isWhole;
}

/** Returns the process that makes this machine a node; undefined if there is none. */
export async function joinedBy(directory: string): Promise<number | undefined> {
  const id = Number(await readFile(runningFile(directory), 'utf8').catch(() => ''));
  const command = id > 0 ? await readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '') : '';
  // The process ID may have been reused by another program.
  return command.split('\0').includes('join') ? id : undefined;
}

/** Containers come first, since they use everything else; the directory comes last, since it records what exists. */
const steps = ({ directory, runtimeEndpoint, networkDirectory, cgroupRoot }: LeaveOptions) => [
  { what: 'pods', act: () => removePods(runtimeEndpoint) },
  { what: 'mounts', act: () => removeMounts(directory) },
  { what: 'rules for packets', act: removeRules },
  { what: 'routes', act: removeRoutes },
  { what: 'network of pods', act: () => removeNetwork(networkDirectory) },
  { what: 'control groups', act: () => removeCgroups(cgroupRoot) },
  { what: 'keys and state', act: () => removeDirectory(directory) },
];

async function removePods(endpoint: string): Promise<void> {
  const runtime = await import('@coxswain/kubelet/cri/remove-pods.ts');
  await runtime.removePods(endpoint, systemClock);
}

async function removeMounts(directory: string): Promise<void> {
  const { mountsBelow, unmount } = await import('@coxswain/kubelet/volumes/kernel-mounts.ts');
  for (const point of await mountsBelow(directory)) await unmount(point);
}

/** Tables are added first, since deleting a missing one fails. */
async function removeRules(): Promise<void> {
  const tables = [
    'ip kube-proxy',
    'ip6 kube-proxy',
    'inet coxswain-network-policy',
    'ip coxswain-pods',
    'ip6 coxswain-pods',
  ];
  await runNft(['-f', '-'], tables.map((table) => `add table ${table}\ndelete table ${table}\n`).join(''));
}

async function removeRoutes(): Promise<void> {
  const { changeRoutes, ownRoutes } = await import('../node-network/kernel-routes.ts');
  await changeRoutes({ set: [], remove: await ownRoutes() });
}

async function removeNetwork(directory: string): Promise<void> {
  const { defaultNetworkFile } = await import('@coxswain/kubelet/network/default-network.ts');
  await rm(defaultNetworkFile(directory), { force: true });
}

/** Pods' cgroups are empty now; others are safe, since a cgroup with processes can't be removed. */
async function removeCgroups(root: string): Promise<void> {
  const mount = '/sys/fs/cgroup';
  const controllers = existsSync(path.join(mount, 'cgroup.controllers')) ? [''] : await readdir(mount);
  for (const controller of controllers) await removeTree(path.join(mount, controller, root, 'kubepods'));
}

async function removeTree(directory: string): Promise<void> {
  if (!existsSync(directory)) return;
  for (const entry of await readdir(directory, { withFileTypes: true }))
    if (entry.isDirectory()) await removeTree(path.join(directory, entry.name));
  await rmdir(directory);
}

/** A filesystem still mounted there may hold data. @throws Error in that case */
async function removeDirectory(directory: string): Promise<void> {
  const { mountsBelow } = await import('@coxswain/kubelet/volumes/kernel-mounts.ts');
  const [mounted] = await mountsBelow(directory);
  if (mounted !== undefined) throw new Error(`${mounted} is still mounted`);
  await rm(directory, { recursive: true, force: true });
}
