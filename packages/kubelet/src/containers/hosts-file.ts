/** Generates the text of a container's /etc/hosts. */
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { PodHostname } from './pod-hostname.ts';

const header = '# Kubernetes-managed hosts file.\n';
const hostNetworkHeader = '# Kubernetes-managed hosts file (host network).\n';

const fixedLines = [
  '127.0.0.1\tlocalhost',
  '::1\tlocalhost ip6-localhost ip6-loopback',
  'fe00::0\tip6-localnet',
  'fe00::0\tip6-mcastprefix',
  'fe00::1\tip6-allnodes',
  'fe00::2\tip6-allrouters',
];

export function hostsFileText(pod: Pod, ips: readonly string[], { hostname, domain }: PodHostname): string {
  const names = domain === '' ? hostname : `${hostname}.${domain}\t${hostname}`;
  const own = ips.map((ip) => `${ip}\t${names}`);
  return `${header}${[...fixedLines, ...own].join('\n')}\n${aliasLines(pod)}`;
}

/** For a pod in the node's network: the node's file, plus the pod's aliases. */
export const nodeHostsFileText = (pod: Pod, nodeHosts: string): string =>
  `${hostNetworkHeader}${nodeHosts}${aliasLines(pod)}`;

function aliasLines({ spec }: Pod): string {
  const aliases = spec?.hostAliases ?? [];
  if (aliases.length === 0) return '';
  const lines = aliases.map(({ ip, hostnames = [] }) => `${ip}\t${hostnames.join('\t')}\n`);
  return `\n# Entries added by HostAliases.\n${lines.join('')}`;
}
