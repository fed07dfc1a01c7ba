/** `coxswain join`: makes this machine a node, or another server, of a cluster that runs elsewhere. */
import path from 'node:path';
import { bool, commandFor, maximumArgs, string, stringSlice } from '@coxswain/cobra';
import { checkMachine } from '../nodes/check-machine.ts';
import { makeWritable } from '../local/data-directory.ts';
import { checkPinForm } from '../joining/authority-pin.ts';
import { parseBootstrapToken } from '../joining/bootstrap-token.ts';
import { address, port, simulatedNodes } from '../program/value-kinds.ts';
import type { DiscoveryOptions } from '../joining/discover-cluster.ts';
import { kubeletConfigUsage, kubeletSettingsIn } from '../nodes/kubelet-settings.ts';
import type { ProgramIo } from '../program/program-io.ts';
import { cniConfDirFlag, nodeDirectoryDefault, runtimeEndpointFlag } from './node-flags.ts';

const command = commandFor<ProgramIo>();

export const join = command({
  use: 'join [TOKEN] --server=https://ADDRESS:PORT --discovery-token-ca-cert-hash=sha256:HASH',
  short: 'Make this machine a node, or a server, of another cluster',
  long: 'Makes this machine a node of a cluster started elsewhere with "coxswain up --server". Runs until interrupted; containers\nkeep running. The server is trusted if it knows the token and the public key of its CA matches the hash. The token is\nneeded only once: the machine then holds a certificate, which it renews, and "coxswain join" without arguments\nreconnects it.\n\nWith --control-plane, the machine becomes one more server of a cluster whose servers share an etcd, with the keys that\n"coxswain up --server --etcd-servers=… --upload-certs" has stored in it.',
  example:
    '  coxswain join abcdef.0123456789abcdef --server=https://192.0.2.1:6443 --discovery-token-ca-cert-hash=sha256:e3b0…\n  coxswain join\n  coxswain join abcdef.0123456789abcdef --server=https://192.0.2.1:6443 --discovery-token-ca-cert-hash=sha256:e3b0… --control-plane --certificate-key=9f…',
  args: maximumArgs(1),
  flags: {
    server: string({ usage: 'The URL of the API server, as https://ADDRESS:PORT.' }),
    discoveryTokenCaCertHash: stringSlice({
      usage:
        'The hash of the public key of the cluster CA, as "sha256:" followed by the hash in hexadecimal.',
    }),
    discoveryTokenUnsafeSkipCaVerification: bool({
      usage: 'Join without verifying the hash. Anyone who knows the token can then impersonate the cluster.',
    }),
    controlPlane: bool({ usage: 'Make this machine a server of the cluster. Runs "coxswain up --server".' }),
    certificateKey: string({
      usage: 'The key of the certificates that the first server has stored, used with --control-plane.',
    }),
    nodes: simulatedNodes({
      usage: 'With --control-plane: the number of simulated nodes, as on the other servers.',
    }),
    node: bool({ usage: 'With --control-plane: make this machine a node as well.' }),
    advertiseAddress: address({
      usage:
        'With --control-plane: the IP address at which other machines reach this one. Defaults to --node-ip, or the address on the default route.',
    }),
    port: port({ default: 6443, usage: 'With --control-plane: the HTTPS port of this server.' }),
    nodeName: string({ usage: 'The name of the node. Defaults to the host name.' }),
    nodeIp: string({ usage: 'The IP address of this node. Defaults to the address on the default route.' }),
    dataDir: string({
      usage: `The directory for keys and state. Defaults to ${nodeDirectoryDefault}, with --control-plane to that of "coxswain up".`,
    }),
    containerRuntimeEndpoint: runtimeEndpointFlag,
    cniConfDir: cniConfDirFlag,
    kubeletConfig: string({ usage: kubeletConfigUsage }),
  },
  async run({ context: io, args, flags }) {
    const discovery = discoveryOf(args[0], flags);
    if (flags.controlPlane) return (await import('./join-as-server.ts')).joinAsServer(io, discovery, flags);
    checkMachine('a node', flags.containerRuntimeEndpoint);
    const directory = path.resolve(flags.dataDir || nodeDirectoryDefault);
    makeWritable(directory);
    const { joinCluster } = await import('../joining/join-cluster.ts');
    const { name, server, stopped } = await joinCluster({
      ...(discovery && { discovery }),
      directory,
      node: {
        runtimeEndpoint: flags.containerRuntimeEndpoint,
        settings: await kubeletSettingsIn(flags.kubeletConfig),
        ...(flags.nodeName === '' ? {} : { name: flags.nodeName }),
        ...(flags.nodeIp === '' ? {} : { address: flags.nodeIp }),
      },
      network: { networkDirectory: flags.cniConfDir },
      signal: io.signal,
      log: (line) => void io.err.write(`${line}\n`),
    });
    io.out.write(
      `This machine is node ${name} of ${server}. Ctrl-C stops the kubelet; containers keep running.\n`,
    );
    await stopped;
  },
});

interface DiscoveryFlags {
  readonly server: string;
  readonly discoveryTokenCaCertHash: readonly string[];
  readonly discoveryTokenUnsafeSkipCaVerification: boolean;
}

/** @throws Error for a token without the hash that makes it safe to use */
function discoveryOf(token: string | undefined, flags: DiscoveryFlags): DiscoveryOptions | undefined {
  if (token === undefined) return undefined;
  const { server, discoveryTokenCaCertHash: pins, discoveryTokenUnsafeSkipCaVerification: skips } = flags;
  if (!/^https:\/\/[^/]+\/?$/.test(server)) throw new Error('--server must be https://ADDRESS:PORT');
  for (const pin of pins) checkPinForm(pin);
  if (pins.length === 0 && !skips)
    throw new Error(
      'using token-based discovery without --discovery-token-ca-cert-hash can be unsafe. Set --discovery-token-unsafe-skip-ca-verification to continue',
    );
  return { server, token: parseBootstrapToken(token), pins };
}
