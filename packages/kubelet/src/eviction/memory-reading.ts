/** Measures the working set: memory of a group of processes that can't be reclaimed at once. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { cgroupMount } from '../cgroups/cgroup-driver.ts';
import { memoryInfo } from '../node/machine.ts';
import type { Observation } from './signals.ts';

/** For the whole machine: used memory without inactive file pages. */
export function nodeMemory(mount = cgroupMount): Observation {
  const info = memoryInfo();
  const capacity = info.get('MemTotal') ?? 0;
  const usedBytes = workingSet(mount, '/') ?? (info.get('MemTotal') ?? 0) - (info.get('MemAvailable') ?? 0);
  return { available: Math.max(0, capacity - usedBytes), capacity };
}

/** For all pods together, relative to their limit; undefined without a limit. */
export function groupMemory(group: string, mount = cgroupMount): Observation | undefined {
  const limit = isVersion2(mount)
    ? number(path.join(mount, group, 'memory.max'))
    : number(path.join(mount, 'memory', group, 'memory.limit_in_bytes'));
  const used = workingSet(mount, group);
  if (limit === undefined || used === undefined || limit > limitMax) return undefined;
  return { available: Math.max(0, limit - used), capacity: Math.max(limit, used) };
}

/** Without a limit, cgroup version 1 shows a value close to 2^63. */
const limitMax = 2 ** 62;

const isVersion2 = (mount: string): boolean => existsSync(path.join(mount, 'cgroup.controllers'));

function workingSet(mount: string, group: string): number | undefined {
  const directory = isVersion2(mount) ? path.join(mount, group) : path.join(mount, 'memory', group);
  const inactive = inactiveFileBytes(directory, isVersion2(mount) ? 'inactive_file' : 'total_inactive_file');
  const used = isVersion2(mount)
    ? (number(path.join(directory, 'memory.current')) ?? usedOfMachine())
    : number(path.join(directory, 'memory.usage_in_bytes'));
  return used === undefined || inactive === undefined ? undefined : Math.max(0, used - inactive);
}

/** The root group of version 2 has no usage of its own. */
function usedOfMachine(): number {
  const info = memoryInfo();
  return (info.get('MemTotal') ?? 0) - (info.get('MemFree') ?? 0);
}

function inactiveFileBytes(directory: string, name: string): number | undefined {
  const value = new RegExp(String.raw`^${name} (\d+)$`, 'm').exec(
    text(path.join(directory, 'memory.stat')),
  )?.[1];
  return value === undefined ? undefined : Number(value);
}

function number(file: string): number | undefined {
  const value = text(file).trim();
  return /^\d+$/.test(value) ? Number(value) : undefined;
}

function text(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
