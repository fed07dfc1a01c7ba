/** Reports an occupied port before anything is started, naming the listening process if the system reveals it. */

import { readFileSync, readdirSync, readlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { runningClusters, type RunningCluster } from '../local/running-clusters.ts';

/** @throws Error with advice if the port is in use or not permitted */
export async function mustBeFree(
  host: string,
  port: number,
  env: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  const { code, message } = await listenFailure(host, port);
  if (code === undefined) return;
  if (code === 'EADDRINUSE')
    throw new Error(
      `${host}:${port} is in use by ${listenerAt(port, runningClusters(env))}: choose another port with --port, or use --port=0 for a free one`,
    );
  if (code === 'EACCES')
    throw new Error(`only root may listen on port ${port}: choose another port with --port`);
  if (code === 'EADDRNOTAVAIL') throw new Error(`${host} is not an address of this machine`);
  throw new Error(`cannot listen on ${host}:${port}: ${message}`);
}

const listenFailure = (host: string, port: number): Promise<{ code?: string; message?: string }> =>
  new Promise((resolve) => {
    const server = createServer().once('error', resolve);
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve({})));
  });

/** `process 1234 (node)`, or `another process` if it cannot be determined; of a cluster, what reaches it. */
function listenerAt(port: number, clusters: readonly RunningCluster[]): string {
  const sockets = new Set(['tcp', 'tcp6'].flatMap((name) => listeningSockets(name, port)));
  const pid = sockets.size === 0 ? undefined : processes().find((one) => hasOneOf(one, sockets));
  if (pid === undefined) return 'another process';
  const cluster = clusters.find((one) => String(one.pid) === pid);
  return cluster === undefined
    ? `process ${pid} (${textOf(`/proc/${pid}/comm`).trim()})`
    : `the cluster at ${cluster.url} (process ${pid}, kubeconfig ${cluster.kubeconfig}; "coxswain down" stops it)`;
}

/**
 * Reads the kernel's table: number, local address, remote address, state (0A is listening), …, inode in the tenth
 * column.
 */
function listeningSockets(name: string, port: number): readonly string[] {
  const end = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  return textOf(`/proc/net/${name}`)
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local, , state]) => local?.endsWith(end) === true && state === '0A')
    .map((columns) => `socket:[${columns[9]}]`);
}

const processes = (): readonly string[] => namesIn('/proc').filter((name) => /^\d+$/.test(name));

const hasOneOf = (pid: string, sockets: ReadonlySet<string>): boolean =>
  namesIn(`/proc/${pid}/fd`).some((descriptor) => sockets.has(linkAt(`/proc/${pid}/fd/${descriptor}`)));

// Other users' processes are not readable, and processes may end meanwhile.
const textOf = (file: string): string => orElse(() => readFileSync(file, 'utf8'), '');
const namesIn = (directory: string): readonly string[] => orElse(() => readdirSync(directory), []);
const linkAt = (file: string): string => orElse(() => readlinkSync(file), '');

function orElse<T>(read: () => T, otherwise: T): T {
  try {
    return read();
  } catch {
    return otherwise;
  }
}
