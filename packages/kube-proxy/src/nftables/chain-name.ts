import type { EndpointAddress, ServiceRule } from '../model/service-rule.ts';

/** Long enough for any service; the kernel takes 255. */
const chainNameLengthMax = 180;

/**
 * `service-4KQ2ZB7A-default/web/tcp/http`: long names are cut, so a hash goes before. Letters, digits, dots,
 * dashes and slashes are all that a name may have without quotes, which nft does not take here.
 */
export const serviceChain = (rule: ServiceRule): string => limited('service', serviceText(rule), rule.family);
export const externalChain = (rule: ServiceRule): string =>
  limited('external', serviceText(rule), rule.family);

export const endpointChain = (rule: ServiceRule, { ip, port }: EndpointAddress): string =>
  limited('endpoint', `${serviceText(rule)}__${ip.replaceAll(':', '.')}/${port}`, rule.family);

/** The set of clients that stay with an endpoint. */
export const affinitySet = (rule: ServiceRule, endpoint: EndpointAddress): string =>
  endpointChain(rule, endpoint).replace('endpoint-', 'affinity-');

function serviceText({ name, protocol }: ServiceRule): string {
  const [service = '', port = ''] = name.split(':');
  return `${service}/${protocol.toLowerCase()}/${port}`;
}

const limited = (kind: string, text: string, family: string): string =>
  `${kind}-${hashText(`${family} ${text}`)}-${text}`.slice(0, chainNameLengthMax);

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** FNV-1a over 40 bits, as eight letters and digits. Only has to tell services apart. */
function hashText(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (let index = 0; index < text.length; index++) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(text.charCodeAt(index))) * 0x100000001b3n);
  }
  return Array.from({ length: 8 }, (_, place) => alphabet[Number((hash >> BigInt(place * 5)) & 31n)]).join(
    '',
  );
}
