/** Measures the available amount of each resource that can run short. */
import { statSync } from 'node:fs';
import type { Cri } from '../cri/cri-client.ts';
import { filesystemUse, type FilesystemUse } from '../node/machine.ts';
import { processCounts } from '../node/node-figures.ts';
import { groupMemory, nodeMemory } from './memory-reading.ts';
import type { Observation, Observations, Signal } from './signals.ts';
import type { DiskLayout } from './thresholds.ts';

export interface NodeDisks {
  readonly layout: DiskLayout;
  readonly rootDirectory: string;
  readonly imageDirectory: string;
  readonly containerDirectory: string;
}

/** Finds where the runtime stores images and container data. @throws the runtime's error */
export async function nodeDisks(cri: Cri, rootDirectory: string): Promise<NodeDisks> {
  const { imageFilesystems, containerFilesystems } = await cri.imageFsInfo({});
  const imageDirectory = imageFilesystems[0]?.fsId?.mountpoint ?? rootDirectory;
  const containerDirectory = containerFilesystems[0]?.fsId?.mountpoint ?? imageDirectory;
  const [node, images, containers] = [rootDirectory, imageDirectory, containerDirectory].map(deviceOf);
  const layout =
    images === node && containers === node
      ? 'one'
      : images === containers
        ? 'images-apart'
        : 'images-and-containers-apart';
  return { layout, rootDirectory, imageDirectory, containerDirectory };
}

/** The directory that a signal measures; undefined for signals that aren't about files. */
export function directoryOf(disks: NodeDisks, signal: Signal): string | undefined {
  const directories: Readonly<Record<string, string>> = {
    nodefs: disks.rootDirectory,
    imagefs: disks.imageDirectory,
    containerfs: disks.containerDirectory,
  };
  return directories[signal.slice(0, signal.indexOf('.'))];
}

function deviceOf(directory: string): number | undefined {
  try {
    return statSync(directory).dev;
  } catch {
    return undefined;
  }
}

/** @param podsGroup the cgroup of all pods */
export function observeNode(disks: NodeDisks, podsGroup: string): Observations {
  const { current, max } = processCounts();
  const pods = groupMemory(podsGroup);
  return new Map<Signal, Observation>([
    ['memory.available', nodeMemory()],
    ...(pods === undefined ? [] : [['allocatableMemory.available', pods] as const]),
    ...filesystem('nodefs', filesystemUse(disks.rootDirectory)),
    ...filesystem('imagefs', filesystemUse(disks.imageDirectory)),
    ...filesystem('containerfs', filesystemUse(disks.containerDirectory)),
    ['pid.available', { available: max - current, capacity: max }],
  ]);
}

/** A file system without a fixed number of inodes can't run out of them. */
const filesystem = (
  name: 'nodefs' | 'imagefs' | 'containerfs',
  { availableBytes, capacityBytes, inodesFree, inodes }: FilesystemUse,
): readonly (readonly [Signal, Observation])[] => [
  [`${name}.available`, { available: availableBytes, capacity: capacityBytes }],
  ...(inodes === 0 ? [] : [[`${name}.inodesFree`, { available: inodesFree, capacity: inodes }] as const]),
];
