import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import type { ProxySettings } from '../config/proxy-configuration.ts';

/** Caps the size on machines with many processors, which would need too much memory. */
const trackedMax = 1_048_576;
const directory = '/proc/sys/net/netfilter';
const hashSizeFile = '/sys/module/nf_conntrack/parameters/hashsize';

/** The desired kernel settings by name, without those that stay as they are. */
function conntrackSettings(
  settings: ProxySettings['conntrack'],
  processors: number,
): Readonly<Record<string, number>> {
  const { maxPerCore, min, tcpBeLiberal, ...times } = settings;
  const seconds = (ms: number) => Math.floor(ms / 1000);
  const wanted: Readonly<Record<string, number>> = {
    nf_conntrack_max: maxPerCore > 0 ? Math.max(Math.min(maxPerCore * processors, trackedMax), min) : 0,
    nf_conntrack_tcp_timeout_established: seconds(times.tcpEstablishedTimeout),
    nf_conntrack_tcp_timeout_close_wait: seconds(times.tcpCloseWaitTimeout),
    nf_conntrack_tcp_be_liberal: tcpBeLiberal ? 1 : 0,
    nf_conntrack_udp_timeout: seconds(times.udpTimeout),
    nf_conntrack_udp_timeout_stream: seconds(times.udpStreamTimeout),
  };
  return Object.fromEntries(Object.entries(wanted).filter(([, value]) => value > 0));
}

/** @throws Error from the file system if the kernel denies access */
export function applyConntrackSettings(settings: ProxySettings['conntrack']): void {
  for (const [name, value] of Object.entries(conntrackSettings(settings, availableParallelism()))) {
    const file = `${directory}/${name}`;
    // Nothing is tracked in this namespace, so nothing has to be set.
    if (!existsSync(file)) continue;
    if (Number(readFileSync(file, 'utf8')) !== value) writeFileSync(file, String(value));
    if (name === 'nf_conntrack_max') growHash(value / 4);
  }
}

function growHash(size: number): void {
  if (!existsSync(hashSizeFile) || Number(readFileSync(hashSizeFile, 'utf8')) >= size) return;
  writeFileSync(hashSizeFile, String(Math.floor(size)));
}
