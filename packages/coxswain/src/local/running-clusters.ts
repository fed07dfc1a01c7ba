/**
 * Tracks the `coxswain up` clusters that run on this machine: one file per running cluster, where its user finds it, and
 * another in its data directory, where it is found whatever the user's home.
 */

import { readFileSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import path from 'node:path';
import { makePrivateDirectory, writePrivateFile } from '@coxswain/storage/directory/private-files.ts';
import { createSharedDirectory, findSharedDirectory } from './data-directory.ts';

export interface RunningCluster {
  readonly pid: number;
  /** The start time of the process in kernel units, which distinguishes it from a later process with the same ID. */
  readonly processStart?: string | undefined;
  /** `2026-11-23T03:04:05.000Z` */
  readonly since: string;
  readonly version: string;
  readonly kubernetesVersion: string;
  readonly url: string;
  readonly dataDirectory: string;
  readonly inMemory: boolean;
  readonly kubeconfig: string;
  /** The log of a cluster that runs in the background. */
  readonly log?: string | undefined;
}

type Environment = Readonly<Record<string, string | undefined>>;

const listIn = (dataDirectory: string): string => path.join(dataDirectory, 'running');

/**
 * Registers a cluster until the returned function is called. Where the file can't be written, the cluster remains
 * unlisted.
 */
export function announceCluster(
  cluster: Omit<RunningCluster, 'pid' | 'processStart'>,
  env: Environment,
): () => void {
  const { pid } = process;
  const announced: RunningCluster = { pid, processStart: processStartOf(pid), ...cluster };
  const lists = new Set([...writableLists(env), listIn(cluster.dataDirectory)]);
  const files = [...lists].map((directory) => path.join(directory, `${pid}.json`));
  for (const file of files) {
    try {
      makePrivateDirectory(path.dirname(file));
      writePrivateFile(file, `${JSON.stringify(announced)}\n`);
    } catch {
      // For example a home that is read-only.
    }
  }
  const remove = (): void => files.forEach(forget);
  process.once('exit', remove);
  return () => {
    process.off('exit', remove);
    remove();
  };
}

function writableLists(env: Environment): readonly string[] {
  try {
    return [listIn(createSharedDirectory(env))];
  } catch {
    return [];
  }
}

/**
 * This user's clusters, or the one of a data directory. Oldest first. Files left behind by killed clusters are removed.
 */
export function runningClusters(env: Environment, dataDirectory = ''): readonly RunningCluster[] {
  const wanted = dataDirectory === '' ? undefined : realPath(dataDirectory);
  const found = new Map<number, RunningCluster>();
  for (const directory of [findSharedDirectory(env), wanted])
    for (const cluster of directory === undefined ? [] : listedIn(listIn(directory)))
      if (wanted === undefined || realPath(cluster.dataDirectory) === wanted) found.set(cluster.pid, cluster);
  return [...found.values()].toSorted((one, other) => one.since.localeCompare(other.since));
}

const listedIn = (directory: string): readonly RunningCluster[] =>
  namesIn(directory).flatMap((name) => {
    const file = path.join(directory, name);
    const cluster = read(file);
    if (cluster !== undefined && isRunning(cluster)) return [cluster];
    forget(file);
    return [];
  });

function forget(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // It is another user's.
  }
}

function realPath(directory: string): string {
  try {
    return realpathSync(directory);
  } catch {
    return path.resolve(directory);
  }
}

export function isRunning({ pid, processStart }: Pick<RunningCluster, 'pid' | 'processStart'>): boolean {
  try {
    process.kill(pid, 0);
  } catch (failure) {
    // EPERM means that another user's process has this ID.
    if ((failure as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  return processStartOf(pid) === processStart;
}

/** Returns the 22nd field of /proc/PID/stat, whose second field may contain spaces; undefined without /proc. */
function processStartOf(pid: number): string | undefined {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return line.slice(line.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    return undefined;
  }
}

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory).filter((name) => name.endsWith('.json'));
  } catch {
    return [];
  }
}

function read(file: string): RunningCluster | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as RunningCluster;
  } catch {
    return undefined;
  }
}
