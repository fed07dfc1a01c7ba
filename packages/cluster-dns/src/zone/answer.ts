/**
 * Answers queries for the cluster's domain and its addresses, according to Kubernetes' DNS specification 1.1.0, and
 * otherwise as CoreDNS with kubeadm's configuration.
 */

import { parseIp } from '@coxswain/apimachinery';
import {
  responseCode,
  type DnsResponse,
  type DnsRecord,
  type Question,
  type RecordType,
} from '../message.ts';
import { serviceNameLabel, type ClusterView } from './cluster-view.ts';
import { findTargets, namesOfAddress, type Target } from './find-targets.ts';
import { isWithin, parseName } from './name-request.ts';
import { addressOfReverseName, isReverseName } from './reverse-name.ts';

export interface Zone {
  /** `cluster.local` */
  readonly domain: string;
  readonly view: ClusterView;
  /** The addresses of this server, listed as the zone's name servers. */
  readonly ownAddresses: readonly string[];
  /** Resolves the external targets of ExternalName services. Undefined: no answer. */
  readonly resolve: (question: Question) => Promise<DnsResponse | undefined>;
}

/** The TTL in seconds, as set by kubeadm. */
export const recordTtl = 30;
const schemaVersion = '1.1.0';
/** The maximum length of a chain of aliases. */
const aliasesMax = 10;

/** Undefined for names outside the zone. */
export async function answerFromZone(question: Question, zone: Zone): Promise<DnsResponse | undefined> {
  const name = question.name.toLowerCase();
  if (isReverseName(name)) return question.type === 'PTR' ? reverseAnswer(question, name, zone) : undefined;
  if (!isWithin(name, zone.domain)) return undefined;
  if (question.type === 'AXFR' || question.type === 'IXFR') return bare(responseCode.refused);
  const found = await findRecords(question, name, zone);
  if (found === undefined) return { ...bare(responseCode.nameError), authorities: [startOfAuthority(zone)] };
  if (found.answers.length === 0)
    return { ...bare(responseCode.noError), authorities: [startOfAuthority(zone)] };
  return { ...bare(responseCode.noError), ...found };
}

const bare = (code: number): DnsResponse => ({ code, authoritative: true, answers: [] });

interface Found {
  readonly answers: readonly DnsRecord[];
  readonly additionals?: readonly DnsRecord[];
}

const nothing: Found = { answers: [] };

/** Undefined if the name does not exist. */
async function findRecords(question: Question, name: string, zone: Zone): Promise<Found | undefined> {
  if (name === zone.domain) return apexRecords(question, zone);
  if (name === `dns-version.${zone.domain}` && question.type === 'TXT') {
    return { answers: [record(question.name, 'TXT', schemaVersion)] };
  }
  // CoreDNS does not look up the name in this case.
  if (question.type === 'SOA') return nothing;
  const targets = targetsOf(name, zone);
  if (targets === undefined) return undefined;
  switch (question.type) {
    case 'A':
    case 'AAAA':
      return { answers: await addressRecords(question.name, question.type, targets, zone) };
    case 'CNAME':
      return { answers: aliasRecord(question.name, targets) };
    case 'SRV':
      return locationRecords(question.name, targets, zone);
    case 'TXT':
      // A name without endpoints does not exist for CoreDNS for this type.
      return targets.length === 0 ? undefined : nothing;
    default:
      return nothing;
  }
}

function targetsOf(name: string, zone: Zone): readonly Target[] | undefined {
  if (name === `ns.dns.${zone.domain}`) {
    return nameServers(zone).map(({ address }) => ({ host: address, port: 0, name: 'ns.dns' }));
  }
  const request = parseName(name, zone.domain);
  return request === undefined ? undefined : findTargets(request, zone.view);
}

function apexRecords({ name, type }: Question, zone: Zone): Found {
  if (type === 'SOA') return { answers: [startOfAuthority(zone)] };
  if (type !== 'NS') return nothing;
  const servers = nameServers(zone);
  return {
    answers: [...new Set(servers.map((server) => server.name))].map((server) => record(name, 'NS', server)),
    additionals: servers.map((server) => addressRecord(server.name, server.address)),
  };
}

interface NameServer {
  readonly name: string;
  readonly address: string;
}

/** The services that point to this server, or its own addresses if there are none. */
function nameServers({ view, ownAddresses, domain }: Zone): readonly NameServer[] {
  const services = ownAddresses.flatMap((address) =>
    view.slicesByAddress(address).flatMap(({ metadata }) => {
      const service = view.service(metadata.namespace ?? '', metadata.labels?.[serviceNameLabel] ?? '');
      return service === undefined ? [] : [service];
    }),
  );
  if (services.length === 0) return ownAddresses.map((address) => ({ name: `ns.dns.${domain}`, address }));
  return [...new Set(services)].flatMap(({ metadata, spec }) =>
    (spec?.clusterIPs ?? [])
      .filter((address) => address !== 'None')
      .map((address) => ({ name: `${metadata.name}.${metadata.namespace}.svc.${domain}`, address })),
  );
}

async function addressRecords(
  name: string,
  type: 'A' | 'AAAA',
  targets: readonly Target[],
  zone: Zone,
  aliases = 0,
): Promise<readonly DnsRecord[]> {
  const records: DnsRecord[] = [];
  const seen = new Set<string>();
  for (const { host } of targets) {
    if (seen.has(host)) continue;
    seen.add(host);
    const address = parseIp(host);
    if (address === undefined) records.push(...(await aliasedRecords(name, type, host, zone, aliases)));
    else if ((address.version === 4) === (type === 'A')) records.push(record(name, type, host));
  }
  return records;
}

/** The alias and its target; nothing if the target is unknown. */
async function aliasedRecords(
  name: string,
  type: 'A' | 'AAAA',
  host: string,
  zone: Zone,
  aliases: number,
): Promise<readonly DnsRecord[]> {
  const target = host.replace(/\.$/, '').toLowerCase();
  if (target === name.toLowerCase() || aliases > aliasesMax) return [];
  const alias = record(name, 'CNAME', target);
  if (isWithin(target, zone.domain)) {
    const targets = targetsOf(target, zone) ?? [];
    const records = await addressRecords(target, type, targets, zone, aliases + 1);
    return records.length === 0 ? [] : [alias, ...records];
  }
  const answer = await zone.resolve({ name: target, type });
  return answer === undefined ? [] : [alias, ...answer.answers];
}

function aliasRecord(name: string, [first]: readonly Target[]): readonly DnsRecord[] {
  if (first === undefined || parseIp(first.host) !== undefined) return [];
  return [record(name, 'CNAME', first.host.replace(/\.$/, ''))];
}

/** All with the same priority, and a total weight of 100. */
function locationRecords(name: string, targets: readonly Target[], { domain }: Zone): Found {
  const inside = targets.filter(({ host }) => parseIp(host) !== undefined);
  const weight = Math.max(1, Math.floor(100 / inside.length));
  const answers = new Map<string, DnsRecord>();
  const additionals = new Map<string, DnsRecord>();
  for (const { host, port, name: below } of inside) {
    const target = `${below}.${domain}`;
    if (port === undefined) continue;
    additionals.set(`${target} ${host}`, addressRecord(target, host));
    const location = { priority: 0, weight, port, target };
    answers.set(`${target} ${port}`, record(name, 'SRV', location));
  }
  return { answers: [...answers.values()], additionals: [...additionals.values()] };
}

/** Undefined for addresses that are not in use in the cluster; another server may know them. */
function reverseAnswer(question: Question, name: string, zone: Zone): DnsResponse | undefined {
  const address = addressOfReverseName(name);
  const names = address === undefined ? [] : namesOfAddress(address, zone.view);
  if (names.length === 0) return undefined;
  const answers = names.map((below) => record(question.name, 'PTR', `${below}.${zone.domain}`));
  return { ...bare(responseCode.noError), answers };
}

const startOfAuthority = ({ domain, view }: Zone): DnsRecord =>
  record(domain, 'SOA', {
    mname: `ns.dns.${domain}`,
    rname: `hostmaster.${domain}`,
    serial: view.serial,
    refresh: 7200,
    retry: 1800,
    expire: 86_400,
    minimum: recordTtl,
  });

const addressRecord = (name: string, address: string): DnsRecord =>
  record(name, parseIp(address)?.version === 6 ? 'AAAA' : 'A', address);

const record = (name: string, type: RecordType, data: unknown): DnsRecord => ({
  name,
  type,
  ttl: recordTtl,
  data,
});
