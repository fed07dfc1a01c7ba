import net from 'node:net';

/**
 * Whether an address may be proxied to: not loopback, link-local or multicast. Names are accepted here and checked once
 * they are resolved.
 */
export function isGlobalUnicast(address: string): boolean {
  const family = net.isIP(address);
  return family === 0
    ? address !== 'localhost' && address !== ''
    : !special.check(address, family === 6 ? 'ipv6' : 'ipv4');
}

const special = new net.BlockList();
special.addSubnet('127.0.0.0', 8);
special.addSubnet('169.254.0.0', 16);
special.addSubnet('224.0.0.0', 4);
special.addAddress('0.0.0.0');
special.addAddress('255.255.255.255');
special.addAddress('::', 'ipv6');
special.addAddress('::1', 'ipv6');
special.addSubnet('fe80::', 10, 'ipv6');
special.addSubnet('ff00::', 8, 'ipv6');
