/** Tracks the `coxswain up` clusters that this user runs on this machine: one file per running cluster. */

import { readFileSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { makePrivateDirectory, writePrivateFile } from '@coxswain/storage/directory/private-files.ts';
import { defaultDataDirectory } from './data-directory.ts';

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

const directoryOf = (env: Environment): string => path.join(defaultDataDirectory(env), 'running');

/**
 * Registers a cluster until the returned function is called. If the file can't be written, the cluster remains
 * unlisted.
 */
export function announceCluster(
  cluster: Omit<RunningCluster, 'pid' | 'processStart'>,
  env: Environment,
): () => void {
  const { pid } = process;
  const file = path.join(directoryOf(env), `${pid}.json`);
  const remove = (): void => rmSync(file, { force: true });
  try {
    makePrivateDirectory(directoryOf(env));
    const announced: RunningCluster = { pid, processStart: processStartOf(pid), ...cluster };
    writePrivateFile(file, `${JSON.stringify(announced)}\n`);
    process.once('exit', remove);
  } catch {
    return () => {};
  }
  return () => {
    process.off('exit', remove);
    remove();
  };
}

/** Oldest first. Files left behind by killed clusters are removed. */
export function runningClusters(env: Environment): readonly RunningCluster[] {
  const directory = directoryOf(env);
  const found = namesIn(directory).flatMap((name) => {
    const file = path.join(directory, name);
    const cluster = read(file);
    if (cluster !== undefined && isRunning(cluster)) return [cluster];
    rmSync(file, { force: true });
    return [];
  });
  return found.toSorted((one, other) => one.since.localeCompare(other.since));
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
