/** What the kubelet watches to keep its node alive, and what each thing is about. */
import type { NodePressure } from '../node/node-state.ts';

/** `inodes` and `pids` are no resources of the API: they only appear in what is told. */
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

/** How much is left of something, and of how much. */
export interface Observation {
  readonly available: number;
  readonly capacity: number;
}

export type Observations = ReadonlyMap<Signal, Observation>;
