import { hash as digestOf } from 'node:crypto';
import type { EndpointAddress, ServiceRule } from '../model/service-rule.ts';

/** As upstream truncates them: the kernel's 256 minus room for a prefix. */
const nameLengthMax = 240;
const hashLength = 8;
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/**
 * `ULMVA6XW-ns1/svc1/tcp/p80`: the suffix of all names of a service port. The hash comes first, since long names are
 * truncated and similar names would collide. Letters, digits, dots, dashes and slashes need no quotes in nft.
 */
export function serviceNameBase({ name, protocol }: Pick<ServiceRule, 'name' | 'protocol'>): string {
  return hashed(serviceText(name, protocol));
}

/** `5OJB2KTY-ns1/svc1/tcp/p80__10.180.0.1/80` */
export const endpointNameBase = (
  { name, protocol }: Pick<ServiceRule, 'name' | 'protocol'>,
  { ip, port }: Pick<EndpointAddress, 'ip' | 'port'>,
): string => hashed(`${serviceText(name, protocol)}__${ip.replaceAll(':', '.')}/${port}`);

/** Only names of services contain slashes, which tells them from the table's own chains. */
export const isServiceChain = (chain: string): boolean => chain.includes('/');

function serviceText(name: string, protocol: string): string {
  const [service = '', port = ''] = name.split(':');
  return `${service}/${protocol.toLowerCase()}/${port}`;
}

function hashed(text: string): string {
  const digest = digestOf('sha256', text, 'buffer');
  let hash = '';
  for (let place = 0; place < hashLength; place++) hash += alphabet[fiveBits(digest, place * 5)];
  const name = `${hash}-${text}`;
  return name.length > nameLengthMax ? `${name.slice(0, nameLengthMax - 3)}...` : name;
}

const fiveBits = (bytes: Uint8Array, offset: number): number =>
  ((((bytes[offset >> 3] ?? 0) << 8) | (bytes[(offset >> 3) + 1] ?? 0)) >> (11 - (offset & 7))) & 31;
