/** `coxswain join --control-plane`: makes this machine another server of a cluster. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { execute } from '@coxswain/cobra';
import type { DiscoveryOptions } from '../joining/discover-cluster.ts';
import {
  etcdFilesIn,
  prepareControlPlane,
  type ControlPlaneSettings,
} from '../joining/join-control-plane.ts';
import { checkCertificateKey } from '../joining/shared-certificates.ts';
import { defaultDataDirectory, makeWritable } from '../local/data-directory.ts';
import { checkMachine } from '../nodes/check-machine.ts';
import type { ProgramIo } from '../program/program-io.ts';

interface ServerFlags {
  readonly certificateKey: string;
  readonly dataDir: string;
  readonly nodes: number;
  readonly node: boolean;
  readonly nodeIp: string;
  readonly advertiseAddress: string;
  readonly port: number;
  readonly containerRuntimeEndpoint: string;
  readonly cniConfDir: string;
  readonly kubeletConfig: string;
}

/** Fetches the keys first, then starts as the first server did. */
export async function joinAsServer(
  io: ProgramIo,
  discovery: DiscoveryOptions | undefined,
  flags: ServerFlags,
): Promise<void> {
  if (discovery === undefined) throw new Error('--control-plane requires a token and --server');
  checkCertificateKey(flags.certificateKey);
  if (flags.node) checkMachine('--node', flags.containerRuntimeEndpoint);
  const directory = path.resolve(flags.dataDir || defaultDataDirectory(io.env));
  makeWritable(directory);
  const keys = path.join(directory, 'pki');
  const settings = await prepareControlPlane({
    discovery,
    certificateKey: flags.certificateKey,
    directory: keys,
    signal: io.signal,
    log: (line) => void io.err.write(`${line}\n`),
  });
  const args = serverArguments(directory, keys, settings, flags);
  io.out.write(
    `The keys of the cluster are in ${keys}. From now on, start this server with:\n\n  coxswain up ${args.join(' ')}\n\n`,
  );
  const { up } = await import('./up.ts');
  await execute(up, args, io, io);
}

function serverArguments(
  directory: string,
  keys: string,
  { etcdServers, controlPlaneEndpoint, clusterCidr }: ControlPlaneSettings,
  flags: ServerFlags,
): readonly string[] {
  const { caFile, certFile, keyFile } = etcdFilesIn(keys);
  const files = { 'etcd-cafile': caFile, 'etcd-certfile': certFile, 'etcd-keyfile': keyFile };
  const { node, nodeIp, advertiseAddress, port: ownPort } = flags;
  return [
    '--server',
    `--data-dir=${directory}`,
    `--etcd-servers=${etcdServers.join(',')}`,
    ...Object.entries(files).flatMap(([name, file]) => (existsSync(file) ? [`--${name}=${file}`] : [])),
    `--control-plane-endpoint=${controlPlaneEndpoint}`,
    ...(clusterCidr === '' ? [] : [`--cluster-cidr=${clusterCidr}`]),
    `--port=${ownPort}`,
    ...(flags.nodes === 0 ? [] : [`--nodes=${flags.nodes}`]),
    ...(advertiseAddress === '' ? [] : [`--advertise-address=${advertiseAddress}`]),
    ...(nodeIp === '' ? [] : [`--node-ip=${nodeIp}`]),
    ...(node
      ? [
          '--node',
          `--container-runtime-endpoint=${flags.containerRuntimeEndpoint}`,
          `--cni-conf-dir=${flags.cniConfDir}`,
          ...(flags.kubeletConfig === '' ? [] : [`--kubelet-config=${flags.kubeletConfig}`]),
        ]
      : []),
  ];
}
