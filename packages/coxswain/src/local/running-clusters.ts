/** The clusters of `coxswain up` that this user runs on this machine: a file each, for as long as it runs. */

import { readFileSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { makePrivateFolder, writePrivateFile } from '@coxswain/storage/directory/private-files.ts';
import { defaultDataFolder } from './data-directory.ts';

export interface RunningCluster {
  readonly pid: number;
  /** When the process began, as the kernel counts; a number that is given again is another process. */
  readonly processStart?: string | undefined;
  /** `2026-11-23T03:04:05.000Z` */
  readonly since: string;
  readonly version: string;
  readonly kubernetesVersion: string;
  readonly url: string;
  readonly dataDirectory: string;
  readonly inMemory: boolean;
  readonly kubeconfig: string;
  /** Of one that runs in the background. */
  readonly log?: string | undefined;
}

type Environment = Readonly<Record<string, string | undefined>>;

const folderOf = (env: Environment): string => path.join(defaultDataFolder(env), 'running');

/** Makes it known until the function that is returned is called. Where nothing can be written, nobody knows of it. */
export function announceCluster(
  cluster: Omit<RunningCluster, 'pid' | 'processStart'>,
  env: Environment,
): () => void {
  const { pid } = process;
  const file = path.join(folderOf(env), `${pid}.json`);
  const remove = (): void => rmSync(file, { force: true });
  try {
    makePrivateFolder(folderOf(env));
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

/** Oldest first. What a killed one has left is taken away. */
export function runningClusters(env: Environment): readonly RunningCluster[] {
  const folder = folderOf(env);
  const found = namesIn(folder).flatMap((name) => {
    const file = path.join(folder, name);
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
    // Another user's process of that number.
    if ((failure as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  return processStartOf(pid) === processStart;
}

/** The twenty-second number of the kernel's line, whose second may hold blanks; undefined where there is no /proc. */
function processStartOf(pid: number): string | undefined {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return line.slice(line.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    return undefined;
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith('.json'));
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
