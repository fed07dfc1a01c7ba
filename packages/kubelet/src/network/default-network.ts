/**
 * A default pod network for machines without one: every pod has a point-to-point link to the machine, which routes. It
 * does not use a bridge: traffic between pods would bypass the packet filter, so that network policies and replies from
 * Services would need a kernel module (br_netfilter) that not every machine has.
 */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

export interface DefaultNetworkOptions {
  /** `/etc/cni/net.d`, where the runtime looks for the configuration. */
  readonly directory: string;
  /** `10.244.0.0/24` */
  readonly podCidr: string;
  /** Whether traffic that leaves the range is masqueraded with the node's address. Defaults to true. */
  readonly masquerades?: boolean;
  /** The kubelet's root directory, which also records assigned addresses: several nodes may share a file system. */
  readonly rootDirectory: string;
}

const fileName = '10-coxswain.conflist';

export const defaultNetworkFile = (directory: string): string => path.join(directory, fileName);

/** Returns the configuration file, or undefined if a network is already configured. */
export function writeDefaultNetwork(options: DefaultNetworkOptions): string | undefined {
  const { directory } = options;
  mkdirSync(directory, { recursive: true, mode: 0o755 });
  const others = readdirSync(directory).filter(
    (name) => /\.(conf|conflist|json)$/.test(name) && name !== fileName,
  );
  if (others.length > 0) return undefined;
  const file = defaultNetworkFile(directory);
  writeFileSync(file, `${JSON.stringify(networkConfiguration(options), undefined, 2)}\n`, {
    mode: 0o644,
  });
  return file;
}

const networkConfiguration = ({ podCidr, masquerades = true, rootDirectory }: DefaultNetworkOptions) => ({
  cniVersion: '0.4.0',
  name: 'coxswain',
  plugins: [
    {
      type: 'ptp',
      ipMasq: masquerades,
      ipam: {
        type: 'host-local',
        dataDir: path.join(rootDirectory, 'pod-addresses'),
        ranges: [[{ subnet: podCidr }]],
        routes: [{ dst: '0.0.0.0/0' }],
      },
    },
    { type: 'portmap', capabilities: { portMappings: true } },
  ],
});
