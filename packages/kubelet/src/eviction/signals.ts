/** The eviction signals, and the resource that each measures. */
import type { NodePressure } from '../node/node-state.ts';

/** `inodes` and `pids` are not API resources: they only appear in messages. */
export type StarvedResource = 'memory' | 'ephemeral-storage' | 'inodes' | 'pids';

interface SignalFacts {
  readonly resource: StarvedResource;
  readonly condition: NodePressure;
}

const memory: SignalFacts = { resource: 'memory', condition: 'MemoryPressure' };
const space: SignalFacts = { resource: 'ephemeral-storage', condition: 'DiskPressure' };
const inodes: SignalFacts = { resource: 'inodes', condition: 'DiskPressure' };

export const signals = {
  'memory.available': memory,
  'allocatableMemory.available': memory,
  'nodefs.available': space,
  'nodefs.inodesFree': inodes,
  'imagefs.available': space,
  'imagefs.inodesFree': inodes,
  'containerfs.available': space,
  'containerfs.inodesFree': inodes,
  'pid.available': { resource: 'pids', condition: 'PIDPressure' },
} as const satisfies Readonly<Record<string, SignalFacts>>;

export type Signal = keyof typeof signals;

export const isSignal = (name: string): name is Signal => Object.hasOwn(signals, name);

/** The available amount of something, and its capacity. */
export interface Observation {
  readonly available: number;
  readonly capacity: number;
}

export type Observations = ReadonlyMap<Signal, Observation>;
