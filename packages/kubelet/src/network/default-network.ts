/**
 * A network for pods where nobody has set one up: every pod has a link of its own to this machine, which routes.
 * Not a bridge: what its pods say to each other passes below the packet filter, so that network policies and the
 * way back from a Service would need a module of the kernel (br_netfilter) that not every machine has.
 */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

export interface DefaultNetworkOptions {
  /** `/etc/cni/net.d`, where the runtime looks. */
  readonly folder: string;
  /** `10.244.0.0/24` */
  readonly podCidr: string;
  /** Whether pods leave the range under the address of the node; true when absent. */
  readonly masquerades?: boolean;
  /** The kubelet's own, where addresses that are given out are noted: several nodes may share a file system. */
  readonly rootFolder: string;
}

const fileName = '10-coxswain.conflist';

export const defaultNetworkFile = (folder: string): string => path.join(folder, fileName);

/** Answers with the file, or undefined when there is a network already. */
export function writeDefaultNetwork(options: DefaultNetworkOptions): string | undefined {
  const { folder } = options;
  mkdirSync(folder, { recursive: true, mode: 0o755 });
  const others = readdirSync(folder).filter(
    (name) => /\.(conf|conflist|json)$/.test(name) && name !== fileName,
  );
  if (others.length > 0) return undefined;
  const file = defaultNetworkFile(folder);
  writeFileSync(file, `${JSON.stringify(networkConfiguration(options), undefined, 2)}\n`, {
    mode: 0o644,
  });
  return file;
}

const networkConfiguration = ({ podCidr, masquerades = true, rootFolder }: DefaultNetworkOptions) => ({
  cniVersion: '0.4.0',
  name: 'coxswain',
  plugins: [
    {
      type: 'ptp',
      ipMasq: masquerades,
      ipam: {
        type: 'host-local',
        dataDir: path.join(rootFolder, 'pod-addresses'),
        ranges: [[{ subnet: podCidr }]],
        routes: [{ dst: '0.0.0.0/0' }],
      },
    },
    { type: 'portmap', capabilities: { portMappings: true } },
  ],
});
