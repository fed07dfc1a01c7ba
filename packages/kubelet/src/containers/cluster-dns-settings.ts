/** The DNS settings of pods, from the kubelet's configuration. */
import { readFileSync } from 'node:fs';
import type { KubeletSettings } from '../config/kubelet-configuration.ts';
import { parseResolvConf, type DnsSettings } from './dns-config.ts';

/** Reads the machine's own file each time, since it may change. */
export function clusterDnsSettings({ clusterDNS, clusterDomain, resolvConf }: KubeletSettings): DnsSettings {
  const host = resolvConf === '' ? undefined : parseResolvConf(readFileSync(resolvConf, 'utf8'));
  return { clusterDns: clusterDNS, clusterDomain, host };
}
