/** What a command finds in a simulated container: files and variables. */
import type { Random } from '@coxswain/apimachinery';
import type { Container } from '@coxswain/api/core/v1/container.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { nameServerAddress } from '../network/pod-network.ts';
import type { PodNetwork, SimulatedNetwork } from '../network/pod-network.ts';
import { ContainerFiles } from './container-files.ts';
import { mountVolumes, podField } from './mounted-volumes.ts';
import type { ReadData, SharedFiles } from './mounted-volumes.ts';
import { programs } from './programs.ts';

export interface ContainerWorld {
  readonly files: ContainerFiles;
  readonly env: ReadonlyMap<string, string>;
  readonly folder: string;
  readonly hostname: string;
  readonly network: PodNetwork;
  /** `$RANDOM` */
  readonly random: Random;
}

/** What a runtime knows beside the pod. */
export interface Surroundings {
  readonly addresses: readonly string[];
  readonly read: ReadData;
  readonly shared: SharedFiles;
  readonly network: SimulatedNetwork;
  readonly random: Random;
  readonly nowMs: number;
}

export async function containerWorld(
  pod: Pod,
  container: Container,
  { addresses, read, shared, network, random, nowMs }: Surroundings,
): Promise<ContainerWorld> {
  const hostname = pod.spec?.hostname || pod.metadata?.name || '';
  const files = new ContainerFiles();
  const folder = container.workingDir || '/';
  for (const path of ['/bin', '/dev', '/etc', '/home', '/root', '/tmp', '/usr/bin', '/var/log', folder])
    files.makeDirectories(path, nowMs, path === '/tmp' ? 0o777 : 0o755);
  for (const [path, text] of Object.entries(systemFiles(hostname, addresses)))
    files.write(path, new TextEncoder().encode(text), nowMs);
  files.write('/dev/null', new Uint8Array(0), nowMs, 0o666);
  for (const name of [...Object.keys(programs), 'sh'].filter((one) => /^[a-z]+$/.test(one)))
    files.write(`/bin/${name}`, new Uint8Array(0), nowMs, 0o755);
  await mountVolumes(files, pod, container, read, shared, nowMs);
  const env = await environmentOf(pod, container, hostname, read);
  return { files, env, folder, hostname, network: network(pod, addresses), random };
}

const systemFiles = (hostname: string, [address = '127.0.0.1']: readonly string[]) => ({
  '/etc/hostname': `${hostname}\n`,
  '/etc/hosts': `# Kubernetes-managed hosts file.\n127.0.0.1\tlocalhost\n::1\tlocalhost ip6-localhost ip6-loopback\n${address}\t${hostname}\n`,
  '/etc/os-release': 'NAME="Coxswain simulated container"\nID=coxswain\n',
  '/etc/passwd': 'root:x:0:0:root:/root:/bin/sh\n',
  '/etc/resolv.conf': `search default.svc.cluster.local svc.cluster.local cluster.local\nnameserver ${nameServerAddress}\noptions ndots:5\n`,
});

async function environmentOf(
  pod: Pod,
  container: Container,
  hostname: string,
  read: ReadData,
): Promise<ReadonlyMap<string, string>> {
  const namespace = pod.metadata?.namespace ?? '';
  const text = (bytes: Uint8Array | undefined) =>
    bytes === undefined ? '' : new TextDecoder().decode(bytes);
  const env = new Map([
    ['PATH', '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'],
    ['HOSTNAME', hostname],
    ['HOME', '/root'],
  ]);
  for (const { prefix = '', configMapRef, secretRef } of container.envFrom ?? []) {
    const name = configMapRef?.name ?? secretRef?.name ?? '';
    const data = await read(configMapRef ? 'configmaps' : 'secrets', namespace, name);
    for (const [key, bytes] of Object.entries(data ?? {})) env.set(prefix + key, text(bytes));
  }
  for (const { name, value, valueFrom } of container.env ?? []) {
    const { configMapKeyRef, secretKeyRef, fieldRef } = valueFrom ?? {};
    if (configMapKeyRef?.name)
      env.set(name, text((await read('configmaps', namespace, configMapKeyRef.name))?.[configMapKeyRef.key]));
    else if (secretKeyRef?.name)
      env.set(name, text((await read('secrets', namespace, secretKeyRef.name))?.[secretKeyRef.key]));
    else if (fieldRef) env.set(name, podField(pod, fieldRef.fieldPath));
    else env.set(name, substituted(value ?? '', env));
  }
  return env;
}

/** `$(NAME)` of a variable that came before; `$$` is a dollar sign. */
const substituted = (value: string, env: ReadonlyMap<string, string>): string =>
  value.replace(/\$\$|\$\(([^)]+)\)/g, (whole, name: string | undefined) =>
    name === undefined ? '$' : (env.get(name) ?? whole),
  );
