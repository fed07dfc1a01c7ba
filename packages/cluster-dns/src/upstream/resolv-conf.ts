/** resolv.conf(5), as far as a forwarder needs it. */

import { parseIp } from '@coxswain/apimachinery';

/** Addresses of name servers, in their order. */
export function nameserversOf(text: string): readonly string[] {
  const servers: string[] = [];
  for (const line of text.split('\n')) {
    const [keyword, address] = line.trim().split(/\s+/);
    if (keyword === 'nameserver' && address !== undefined && parseIp(address) !== undefined)
      servers.push(address);
  }
  return servers;
}
