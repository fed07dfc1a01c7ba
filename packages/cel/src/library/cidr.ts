/** Networks: `cidr('10.0.0.0/8').containsIP('10.1.2.3')`. */

import {
  isIpv4Mapped,
  networkAddress,
  networkContains,
  type IpNetwork,
} from '@coxswain/apimachinery/ip-address.ts';
import type { Library } from '../declarations/library.ts';
import { declareFunction, overload } from '../declarations/declaration.ts';
import { opaqueType } from '../types/type.ts';
import { CelError } from '../values/error.ts';
import { OpaqueValue, type Value } from '../values/value.ts';
import { IpValue, ipType, ipValue } from './ip.ts';
import { IpTextError, formatIp, parsePrefix } from '@coxswain/apimachinery/ip-text.ts';
import { goQuote } from '@coxswain/apimachinery/go-quote.ts';

const cidrType = opaqueType('net.CIDR');

class CidrValue extends OpaqueValue {
  readonly type = cidrType;
  readonly network: IpNetwork;

  constructor(network: IpNetwork) {
    super();
    this.network = network;
  }

  override get costSize(): number {
    return Math.ceil(this.network.prefixLength / 8);
  }

  equals(other: Value): boolean {
    if (!(other instanceof CidrValue)) return false;
    const { address, prefixLength } = this.network;
    const isSameAddress =
      address.version === other.network.address.version && address.value === other.network.address.value;
    return isSameAddress && prefixLength === other.network.prefixLength;
  }
}

function cidrValue(text: string): CidrValue | CelError {
  const wrong = (message: string): CelError =>
    new CelError(`network address parse error during conversion from string: ${message}`);
  try {
    const network = parsePrefix(text);
    if (isIpv4Mapped(network.address))
      return wrong(`IPv4-mapped IPv6 address ${goQuote(text)} is not allowed`);
    return new CidrValue(network);
  } catch (error) {
    if (!(error instanceof IpTextError)) throw error;
    return wrong(`network address parse error during conversion from string: ${error.message}`);
  }
}

/** Includes the host bits as written. */
const formatPrefix = ({ address, prefixLength }: IpNetwork): string => `${formatIp(address)}/${prefixLength}`;

function containsIp({ network }: CidrValue, other: IpValue | CelError): Value {
  if (other instanceof CelError) return other;
  return network.address.version === other.address.version && networkContains(network, other.address);
}

function containsCidr({ network }: CidrValue, other: CidrValue | CelError): Value {
  if (other instanceof CelError) return other;
  const inner = other.network;
  if (network.address.version !== inner.address.version || network.prefixLength > inner.prefixLength)
    return false;
  return networkContains(network, inner.address);
}

export const cidrLibrary: Library = {
  functions: [
    declareFunction('cidr', [overload('string_to_cidr', '(string) -> net.CIDR', cidrValue)]),
    declareFunction('containsIP', [
      overload('cidr_contains_ip_string', 'net.CIDR.(string) -> bool', (cidr: CidrValue, text: string) => {
        const other = ipValue(text);
        return other instanceof CelError ? new CelError('no such overload') : containsIp(cidr, other);
      }),
      overload('cidr_contains_ip_ip', 'net.CIDR.(net.IP) -> bool', containsIp),
    ]),
    declareFunction('containsCIDR', [
      overload('cidr_contains_cidr_string', 'net.CIDR.(string) -> bool', (cidr: CidrValue, text: string) =>
        containsCidr(cidr, cidrValue(text)),
      ),
      overload('cidr_contains_cidr', 'net.CIDR.(net.CIDR) -> bool', containsCidr),
    ]),
    declareFunction('ip', [
      overload('cidr_ip', 'net.CIDR.() -> net.IP', ({ network }: CidrValue) => new IpValue(network.address)),
    ]),
    declareFunction('prefixLength', [
      overload('cidr_prefix_length', 'net.CIDR.() -> int', ({ network }: CidrValue) => network.prefixLength),
    ]),
    declareFunction('masked', [
      overload(
        'cidr_masked',
        'net.CIDR.() -> net.CIDR',
        ({ network }: CidrValue) => new CidrValue({ ...network, address: networkAddress(network) }),
      ),
    ]),
    declareFunction('isCIDR', [
      overload('is_cidr', '(string) -> bool', (text: string) => !(cidrValue(text) instanceof CelError)),
    ]),
    declareFunction('string', [
      overload('cidr_to_string', '(net.CIDR) -> string', ({ network }: CidrValue) => formatPrefix(network)),
    ]),
  ],
  typeNames: { 'net.CIDR': cidrType, 'net.IP': ipType },
};
