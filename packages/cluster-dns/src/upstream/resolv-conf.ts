/** The parts of resolv.conf(5) that a forwarder needs. */

import { parseIp } from '@coxswain/apimachinery';

/** Addresses of name servers, in order. */
export function nameserversOf(text: string): readonly string[] {
  const servers: string[] = [];
  for (const line of text.split('\n')) {
    const [keyword, address] = line.trim().split(/\s+/);
    if (keyword === 'nameserver' && address !== undefined && parseIp(address) !== undefined)
      servers.push(address);
  }
  return servers;
}
