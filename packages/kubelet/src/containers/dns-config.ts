/** Computes a pod's /etc/resolv.conf. */
import type { Pod } from '@coxswain/api/core/v1/pod.ts';

export interface DnsConfig {
  readonly servers: readonly string[];
  readonly searches: readonly string[];
  readonly options: readonly string[];
}

export interface DnsSettings {
  readonly clusterDns: readonly string[];
  /** `cluster.local` */
  readonly clusterDomain: string;
  /** The node's own resolver configuration; undefined if the kubelet was given no file. */
  readonly host: DnsConfig | undefined;
}

export interface PodDns {
  readonly config: DnsConfig;
  /** Settings that could not be honoured: reason and message of an event. */
  readonly warnings: readonly { readonly reason: string; readonly message: string }[];
}

const serversMax = 3;
const searchesMax = 32;
const searchCharactersMax = 2048;
const searchNameMax = 253;
const clusterOptions = ['ndots:5'];
const empty: DnsConfig = { servers: [], searches: [], options: [] };

export function podDns(pod: Pod, { clusterDns, clusterDomain, host }: DnsSettings): PodDns {
  const warnings: PodDns['warnings'][number][] = [];
  const wanted = kindOf(pod);
  let config: DnsConfig;
  if (wanted === 'none') config = empty;
  else if (wanted === 'cluster' && clusterDns.length > 0)
    config = {
      servers: clusterDns,
      searches: clusterSearches(pod, clusterDomain, host?.searches ?? []),
      options: clusterOptions,
    };
  else {
    if (wanted === 'cluster') warnings.push(missingClusterDns(pod));
    config = host ?? { servers: ['127.0.0.1'], searches: ['.'], options: [] };
  }
  return bounded(withOwn(config, pod), warnings);
}

function kindOf({ spec }: Pod): 'none' | 'cluster' | 'host' {
  switch (spec?.dnsPolicy) {
    case 'None':
      return 'none';
    case 'Default':
      return 'host';
    case 'ClusterFirst':
      return spec.hostNetwork ? 'host' : 'cluster';
    default:
      return 'cluster';
  }
}

function missingClusterDns({ metadata }: Pod) {
  const pod = `${metadata?.name}_${metadata?.namespace}(${metadata?.uid})`;
  const why =
    'kubelet does not have ClusterDNS IP configured and cannot create Pod using "ClusterFirst" policy. Falling back to "Default" policy.';
  return { reason: 'MissingClusterDNS', message: `pod: "${pod}". ${why}` };
}

const clusterSearches = ({ metadata }: Pod, domain: string, host: readonly string[]): readonly string[] =>
  domain === '' ? host : distinct([`${metadata?.namespace}.svc.${domain}`, `svc.${domain}`, domain, ...host]);

function withOwn(config: DnsConfig, { spec }: Pod): DnsConfig {
  const own = spec?.dnsConfig;
  if (!own) return config;
  const options = new Map(config.options.map(optionEntry));
  for (const { name = '', value } of own.options ?? []) options.set(name, value ?? '');
  return {
    servers: distinct([...config.servers, ...(own.nameservers ?? [])]),
    searches: distinct([...config.searches, ...(own.searches ?? [])]),
    options: [...options].map(([name, value]) => (value === '' ? name : `${name}:${value}`)),
  };
}

function optionEntry(option: string): [string, string] {
  const at = option.indexOf(':');
  return at < 0 ? [option, ''] : [option.slice(0, at), option.slice(at + 1)];
}

function bounded(config: DnsConfig, warnings: PodDns['warnings'][number][]): PodDns {
  const servers = config.servers.slice(0, serversMax);
  if (servers.length < config.servers.length) {
    const line = servers.join(' ');
    const message = `Nameserver limits were exceeded, some nameservers have been omitted, the applied nameserver line is: ${line}`;
    warnings.push({ reason: 'DNSConfigForming', message });
  }
  const searches = config.searches.slice(0, searchesMax).filter((name) => name.length <= searchNameMax);
  while (searches.join(' ').length > searchCharactersMax) searches.pop();
  if (searches.length < config.searches.length) {
    const line = searches.join(' ');
    const message = `Search Line limits were exceeded, some search paths have been omitted, the applied search line is: ${line}`;
    warnings.push({ reason: 'DNSConfigForming', message });
  }
  return { config: { ...config, servers, searches }, warnings };
}

/** The last `search` line counts, as does the last of several options with the same name. */
export function parseResolvConf(text: string): DnsConfig {
  const servers: string[] = [];
  let searches: string[] = [];
  const options = new Map<string, string>();
  for (const line of text.split('\n')) {
    const [word, ...rest] = line.trim().split(/\s+/);
    if (word === undefined || word.startsWith('#')) continue;
    if (word === 'nameserver' && rest[0] !== undefined) servers.push(rest[0]);
    if (word === 'search')
      searches = rest.filter((name) => name !== '.').map((name) => name.replace(/\.$/, ''));
    if (word === 'options') for (const option of rest) options.set(option.split(':')[0]!, option);
  }
  return { servers, searches, options: [...options.values()] };
}

const distinct = (values: readonly string[]): string[] => [...new Set(values)];
