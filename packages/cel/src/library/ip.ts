/** IP addresses: `ip('10.0.0.1').isLoopback()`. */

import { isIpv4Mapped, type IpAddress } from '@coxswain/apimachinery/ip-address.ts';
import type { Library } from '../declarations/library.ts';
import { declareFunction, overload, type FunctionDeclaration } from '../declarations/declaration.ts';
import { opaqueType } from '../types/type.ts';
import { CelError } from '../values/error.ts';
import { OpaqueValue, type Value } from '../values/value.ts';
import { IpTextError, formatIp, parseAddress } from '@coxswain/apimachinery/ip-text.ts';
import { goQuote } from '@coxswain/apimachinery/go-quote.ts';

export const ipType = opaqueType('net.IP');

export class IpValue extends OpaqueValue {
  readonly type = ipType;
  readonly address: IpAddress;

  constructor(address: IpAddress) {
    super();
    this.address = address;
  }

  override get costSize(): number {
    return this.address.version === 4 ? 4 : 16;
  }

  equals(other: Value): boolean {
    if (!(other instanceof IpValue)) return false;
    return this.address.version === other.address.version && this.address.value === other.address.value;
  }
}

export function ipValue(text: string): IpValue | CelError {
  try {
    const { address, zone } = parseAddress(text);
    if (zone !== '') return new CelError(`IP address ${goQuote(text)} with zone value is not allowed`);
    if (isIpv4Mapped(address))
      return new CelError(`IPv4-mapped IPv6 address ${goQuote(text)} is not allowed`);
    return new IpValue(address);
  } catch (error) {
    if (!(error instanceof IpTextError)) throw error;
    return new CelError(
      `IP Address ${goQuote(text)} parse error during conversion from string: ${error.message}`,
    );
  }
}

function isCanonical(text: string): Value {
  const value = ipValue(text);
  return value instanceof CelError ? value : formatIp(value.address) === text;
}

/** Whether the leading bits equal the prefix. */
const startsWith = ({ value }: IpAddress, size: number, prefix: bigint, prefixSize: number): boolean =>
  value >> BigInt(size - prefixSize) === prefix;

const isUnspecified = ({ value }: IpAddress): boolean => value === 0n;

const isLoopback = (address: IpAddress): boolean =>
  address.version === 4 ? startsWith(address, 32, 127n, 8) : address.value === 1n;

const isLinkLocalMulticast = (address: IpAddress): boolean =>
  address.version === 4
    ? startsWith(address, 32, 0xe00000n, 24)
    : startsWith(address, 128, 0xffn, 8) && ((address.value >> 112n) & 0xfn) === 2n;

const isLinkLocalUnicast = (address: IpAddress): boolean =>
  address.version === 4 ? startsWith(address, 32, 0xa9fen, 16) : startsWith(address, 128, 0xfe80n >> 6n, 10);

const isMulticast = (address: IpAddress): boolean =>
  address.version === 4 ? startsWith(address, 32, 0xen, 4) : startsWith(address, 128, 0xffn, 8);

/** Includes private addresses. */
function isGlobalUnicast(address: IpAddress): boolean {
  const isBroadcast = address.version === 4 && address.value === 0xffff_ffffn;
  const isSpecial = isUnspecified(address) || isLoopback(address) || isMulticast(address);
  return !isBroadcast && !isSpecial && !isLinkLocalUnicast(address);
}

const test = (name: string, id: string, holds: (address: IpAddress) => boolean): FunctionDeclaration =>
  declareFunction(name, [overload(id, 'net.IP.() -> bool', ({ address }: IpValue) => holds(address))]);

export const ipLibrary: Library = {
  functions: [
    declareFunction('ip', [overload('string_to_ip', '(string) -> net.IP', ipValue)]),
    declareFunction('family', [
      overload('ip_family', 'net.IP.() -> int', ({ address }: IpValue) => address.version),
    ]),
    declareFunction('ip.isCanonical', [overload('ip_is_canonical', '(string) -> bool', isCanonical)]),
    declareFunction('isIP', [
      overload('is_ip', '(string) -> bool', (text: string) => !(ipValue(text) instanceof CelError)),
    ]),
    declareFunction('string', [
      overload('ip_to_string', '(net.IP) -> string', ({ address }: IpValue) => formatIp(address)),
    ]),
    test('isUnspecified', 'ip_is_unspecified', isUnspecified),
    test('isLoopback', 'ip_is_loopback', isLoopback),
    test('isLinkLocalMulticast', 'ip_is_link_local_multicast', isLinkLocalMulticast),
    test('isLinkLocalUnicast', 'ip_is_link_local_unicast', isLinkLocalUnicast),
    test('isGlobalUnicast', 'ip_is_global_unicast', isGlobalUnicast),
  ],
  typeNames: { 'net.IP': ipType },
};
