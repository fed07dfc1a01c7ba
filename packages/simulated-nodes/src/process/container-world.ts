/** The environment of a command in a simulated container: files and variables. */
import type { Random } from '@coxswain/apimachinery';
import type { Container } from '@coxswain/api/core/v1/container.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { Service } from '@coxswain/api/core/v1/service.ts';
import { nameServerAddress } from '../network/name-server.ts';
import type { PodNetwork, SimulatedNetwork } from '../network/pod-network.ts';
import { ContainerFiles, parentOf, resolvePath } from './container-files.ts';
import type { ContentSources } from '@coxswain/kubelet/volumes/volume-content.ts';
import { environment } from './pod-sources.ts';
import { noProcesses, type ProcessTable } from './process-table.ts';
import { mountVolumes, type SharedFiles } from './mounted-volumes.ts';
import { programs } from './programs.ts';
import type { Program } from './simulated-process.ts';
import { userOf, type User } from './user.ts';

export interface ContainerWorld {
  readonly files: ContainerFiles;
  readonly env: ReadonlyMap<string, string>;
  readonly directory: string;
  readonly hostname: string;
  readonly addresses: readonly string[];
  /** The ports on which the pod listens. */
  readonly ports: () => readonly number[];
  readonly user: User;
  readonly processes: ProcessTable;
  readonly network: PodNetwork;
  /** `$RANDOM` */
  readonly random: Random;
  /** Programs of its image besides the common ones, by name or path. */
  readonly commands?: ReadonlyMap<string, Program> | undefined;
  /** The image contains none of the common programs. */
  readonly isBare: boolean;
}

/** What the runtime knows besides the pod. */
export interface Surroundings {
  readonly addresses: readonly string[];
  readonly sources: ContentSources;
  readonly shared: SharedFiles;
  readonly network: SimulatedNetwork;
  readonly random: Random;
  readonly nowMs: number;
  /** Those that existed when the container started. */
  readonly services?: readonly Service[];
  /** None if unset. */
  readonly processes?: ProcessTable | undefined;
  readonly ports?: (() => readonly number[]) | undefined;
  /** The image contains none of the common programs. */
  readonly isBare?: boolean;
  /** Directories of a well-known image. */
  readonly imageDirectories?: readonly string[];
  /** Files of an image that is defined by the user, by absolute path. */
  readonly imageFiles?: Readonly<Record<string, string | Uint8Array>> | undefined;
  readonly commands?: ReadonlyMap<string, Program> | undefined;
}

export async function containerWorld(
  pod: Pod,
  container: Container,
  {
    addresses,
    sources,
    shared,
    network,
    random,
    nowMs,
    services = [],
    processes = noProcesses(),
    ports = () => [],
    imageDirectories = [],
    imageFiles = {},
    commands,
    isBare = false,
  }: Surroundings,
): Promise<ContainerWorld> {
  const hostname = pod.spec?.hostname || pod.metadata?.name || '';
  const files = new ContainerFiles(nowMs);
  const directory = container.workingDir || '/';
  for (const path of ['/bin', '/dev', '/etc', '/home', '/root', '/tmp', '/usr/bin', '/var/log', directory])
    files.makeDirectories(path, nowMs, path === '/tmp' ? 0o777 : 0o755);
  for (const path of imageDirectories) files.makeDirectories(path, nowMs);
  for (const [path, text] of Object.entries(systemFiles(pod, hostname, addresses)))
    files.write(path, new TextEncoder().encode(text), nowMs);
  files.write('/dev/null', new Uint8Array(0), nowMs, 0o666);
  const common = isBare ? [] : [...Object.keys(programs), 'sh'];
  for (const name of common.filter((one) => /^[a-z0-9]+$/.test(one)))
    files.write(`/bin/${name}`, new Uint8Array(0), nowMs, 0o755);
  for (const path of [...(commands?.keys() ?? [])].filter((one) => one.startsWith('/')))
    writeWithDirectories(files, path, new Uint8Array(0), nowMs, 0o755);
  for (const [path, content] of Object.entries(imageFiles))
    writeWithDirectories(
      files,
      resolvePath('/', path),
      typeof content === 'string' ? new TextEncoder().encode(content) : content,
      nowMs,
    );
  const { terminationMessagePath } = container;
  if (terminationMessagePath)
    writeWithDirectories(files, terminationMessagePath, new Uint8Array(0), nowMs, 0o666);
  await mountVolumes(files, pod, container, sources, shared, nowMs);
  const user = userOf(pod, container);
  files.creator = user;
  const env = await environmentOf(pod, container, { hostname, user, sources, services });
  return {
    files,
    env,
    directory,
    hostname,
    addresses,
    ports,
    user,
    processes,
    network: network(pod, addresses),
    random,
    commands,
    isBare,
  };
}

function writeWithDirectories(
  files: ContainerFiles,
  path: string,
  bytes: Uint8Array,
  nowMs: number,
  mode?: number,
): void {
  files.makeDirectories(parentOf(path), nowMs);
  files.write(path, bytes, nowMs, mode);
}

const systemFiles = ({ metadata }: Pod, hostname: string, [address = '127.0.0.1']: readonly string[]) => ({
  '/etc/hostname': `${hostname}\n`,
  '/etc/hosts': `# Kubernetes-managed hosts file.\n127.0.0.1\tlocalhost\n::1\tlocalhost ip6-localhost ip6-loopback\n${address}\t${hostname}\n`,
  '/etc/os-release': 'NAME="Coxswain simulated container"\nID=coxswain\n',
  '/etc/passwd': 'root:x:0:0:root:/root:/bin/sh\n',
  '/etc/resolv.conf': `search ${metadata?.namespace ?? 'default'}.svc.cluster.local svc.cluster.local cluster.local\nnameserver ${nameServerAddress}\noptions ndots:5\n`,
});

/** References to objects that no longer exist yield no variables. */
async function environmentOf(
  pod: Pod,
  container: Container,
  {
    hostname,
    user,
    sources,
    services,
  }: Pick<Required<Surroundings>, 'sources' | 'services'> & {
    readonly hostname: string;
    readonly user: User;
  },
): Promise<ReadonlyMap<string, string>> {
  const literal = (container.env ?? []).filter(({ valueFrom }) => !valueFrom);
  const said = await environment(pod, container, sources, services).catch(() =>
    environment(pod, { ...container, env: literal, envFrom: [] }, sources, services),
  );
  return new Map([
    ['PATH', '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'],
    ['HOSTNAME', hostname],
    // The home of a user that /etc/passwd does not name.
    ['HOME', user.uid === 0 ? '/root' : '/'],
    ...said,
  ]);
}
