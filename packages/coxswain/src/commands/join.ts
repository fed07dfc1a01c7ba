/** `coxswain join`: this machine becomes a node of a cluster whose server is another one. */
import path from 'node:path';
import { bool, commandFor, maximumArgs, string, stringSlice } from '@coxswain/cobra';
import { checkMachine } from '../check-machine.ts';
import { makeWritable } from '../data-directory.ts';
import { checkPinForm } from '../joining/authority-pin.ts';
import { parseBootstrapToken } from '../joining/bootstrap-token.ts';
import type { DiscoveryOptions } from '../joining/discover-cluster.ts';
import { kubeletConfigUsage, kubeletSettingsIn } from '../kubelet-settings.ts';
import type { ProgramIo } from '../program-io.ts';
import { cniConfDirFlag, nodeFolderFlag, runtimeEndpointFlag } from './node-flags.ts';

const command = commandFor<ProgramIo>();

export const join = command({
  use: 'join [TOKEN] --server=https://ADDRESS:PORT --discovery-token-ca-cert-hash=sha256:HASH',
  short: 'Make this machine a node of another cluster',
  long: 'Makes this machine a node of the cluster that "coxswain up --server" runs elsewhere, until it is interrupted; containers\ngo on. The server is believed when it knows the token, and its authority has the key with that hash. The token is\nneeded once: then the machine has a certificate, which it renews, and "coxswain join" alone goes on.',
  example:
    '  coxswain join abcdef.0123456789abcdef --server=https://192.0.2.1:6443 --discovery-token-ca-cert-hash=sha256:e3b0…\n  coxswain join',
  args: maximumArgs(1),
  flags: {
    server: string({ usage: 'The address of the API server, with https:// and port.' }),
    discoveryTokenCaCertHash: stringSlice({
      usage: 'The public key of the authority of the cluster: "sha256:" and the hash in hexadecimal digits.',
    }),
    discoveryTokenUnsafeSkipCaVerification: bool({
      usage: 'Join without such a hash. Who knows the token can pass off another cluster as this one.',
    }),
    nodeName: string({ usage: 'The name of the node; that of this machine when empty.' }),
    nodeIp: string({ usage: 'The address of this machine as a node; that of its default route when empty.' }),
    dataDir: nodeFolderFlag,
    containerRuntimeEndpoint: runtimeEndpointFlag,
    cniConfDir: cniConfDirFlag,
    kubeletConfig: string({ usage: kubeletConfigUsage }),
  },
  async run({ context: io, args, flags }) {
    const discovery = discoveryOf(args[0], flags);
    checkMachine('a node', flags.containerRuntimeEndpoint);
    const folder = path.resolve(flags.dataDir);
    makeWritable(folder);
    const { joinCluster } = await import('../joining/join-cluster.ts');
    const { name, server, stopped } = await joinCluster({
      ...(discovery && { discovery }),
      folder,
      node: {
        runtimeEndpoint: flags.containerRuntimeEndpoint,
        settings: await kubeletSettingsIn(flags.kubeletConfig),
        ...(flags.nodeName === '' ? {} : { name: flags.nodeName }),
        ...(flags.nodeIp === '' ? {} : { address: flags.nodeIp }),
      },
      network: { networkFolder: flags.cniConfDir },
      signal: io.signal,
      log: (line) => void io.err.write(`${line}\n`),
    });
    io.out.write(`This machine is node ${name} of ${server}. Ctrl-C stops it; containers go on.\n`);
    await stopped;
  },
});

interface DiscoveryFlags {
  readonly server: string;
  readonly discoveryTokenCaCertHash: readonly string[];
  readonly discoveryTokenUnsafeSkipCaVerification: boolean;
}

/** @throws Error for a token without what makes it safe to use */
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
