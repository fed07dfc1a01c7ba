/** The addresses that a request came from: those that proxies report, and last the connection's own. */
import { formatIp, parseIp } from '@coxswain/apimachinery/ip-address.ts';
import type { AuditedRequest } from './audited-request.ts';

/** The maximum number of addresses that proxies may report; further ones are dropped. */
const forwardedMax = 64;

export function sourceAddresses(request: AuditedRequest): readonly string[] {
  const { address } = request.incoming.peer;
  const forwarded = request.header('x-forwarded-for');
  const real = request.header('x-real-ip');
  if (forwarded === undefined && real === undefined) return onlyPeer(address);
  const addresses = (forwarded ?? '').split(',', forwardedMax).flatMap(addressIn);
  for (const one of addressIn(real ?? '')) if (!addresses.includes(one)) addresses.push(one);
  for (const one of addressIn(address)) if (addresses.at(-1) !== one) addresses.push(one);
  return addresses;
}

/** The latest result: few peers send many requests. */
let latest: { readonly address: string; readonly list: readonly string[] } = { address: '', list: [] };

function onlyPeer(address: string): readonly string[] {
  if (latest.address !== address) latest = { address, list: addressIn(address) };
  return latest.list;
}

function addressIn(text: string): string[] {
  const parsed = parseIp(text.trim());
  return parsed === undefined ? [] : [formatIp(parsed)];
}
