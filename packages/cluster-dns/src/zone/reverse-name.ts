/** Names of addresses: `4.3.2.1.in-addr.arpa` (RFC 1035) and nibbles under `ip6.arpa` (RFC 3596). */

import { formatIp, parseIp } from '@coxswain/apimachinery';

export const isReverseName = (name: string): boolean => /(?:^|\.)(?:in-addr|ip6)\.arpa$/.test(name);

/** Undefined if it is not the name of a complete address. */
export function addressOfReverseName(name: string): string | undefined {
  const [, labels, family] = /^(.+)\.(in-addr|ip6)\.arpa$/.exec(name) ?? [];
  if (labels === undefined) return undefined;
  const parts = labels.split('.').reverse();
  const address = parseIp(family === 'in-addr' ? parts.join('.') : fromNibbles(parts));
  return address === undefined ? undefined : formatIp(address);
}

const nibblesOfAddress = 32;

function fromNibbles(nibbles: readonly string[]): string {
  if (nibbles.length !== nibblesOfAddress || nibbles.some((nibble) => nibble.length !== 1)) return '';
  return (nibbles.join('').match(/.{4}/g) ?? []).join(':');
}
