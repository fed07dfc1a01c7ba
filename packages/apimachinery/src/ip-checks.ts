/** Validation of IP addresses and networks, and warnings for accepted but unusual ones. */

import { invalidError, type FieldError, type FieldLocation } from './field-error.ts';
import { goQuote } from './go-quote.ts';
import {
  bitsOf,
  formatCidr,
  formatIp,
  isIpv4Mapped,
  networkAddress,
  parseCidr,
  parseIp,
} from './ip-address.ts';

/** For new fields: only the canonical form of an address. */
export function validateIp(path: FieldLocation, value: string): FieldError[] {
  const errors = validateLegacyIp(path, value);
  if (errors.length > 0) return errors.map(always);
  const canonical = formatIp(parseIp(value)!);
  return value === canonical
    ? []
    : [invalidError(path, value, `must be in canonical form (${goQuote(canonical)})`)];
}

/** For old fields: any form that all software interprets alike; `accepted` are already stored values. */
export function validateLegacyIp(
  path: FieldLocation,
  value: string,
  accepted: ReadonlySet<string> = none,
): FieldError[] {
  if (accepted.has(value)) return [];
  const address = parseIp(value);
  if (address === undefined) {
    return [invalidError(path, value, 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)')];
  }
  const strict = (detail: string) => [{ ...invalidError(path, value, detail), gate: strictGate }];
  if (hasLeadingZeros(value)) return strict('must not have leading 0s');
  return isIpv4Mapped(address) ? strict('must not be an IPv4-mapped IPv6 address') : [];
}

/** Without it, old fields accept values that software interprets differently. */
const strictGate = 'StrictIPCIDRValidation';

/** New fields never accepted these. */
const always = ({ gate: _gate, ...error }: FieldError): FieldError => error;

const none: ReadonlySet<string> = new Set();

/** For new fields: `10.0.0.0/8`, canonical and without host bits. */
export function validateCidr(path: FieldLocation, value: string): FieldError[] {
  const errors = validateLegacyCidr(path, value);
  if (errors.length > 0) return errors.map(always);
  const canonical = formatCidr(parseCidr(value)!);
  return value === canonical
    ? []
    : [invalidError(path, value, `must be in canonical form (${goQuote(canonical)})`)];
}

export function validateLegacyCidr(
  path: FieldLocation,
  value: string,
  accepted: ReadonlySet<string> = none,
): FieldError[] {
  if (accepted.has(value)) return [];
  const network = parseCidr(value);
  if (network === undefined) {
    return [invalidError(path, value, 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)')];
  }
  const wrong = (detail: string) => [{ ...invalidError(path, value, detail), gate: strictGate }];
  if (hasLeadingZeros(value) || /\/0[0-9]/.test(value))
    return wrong('must not have leading 0s in IP or prefix length');
  if (isIpv4Mapped(network.address)) return wrong('must not have an IPv4-mapped IPv6 address');
  return networkAddress(network).value === network.address.value
    ? []
    : wrong('must not have bits set beyond the prefix length');
}

/** An address with its network's prefix length: `192.168.1.5/24`. */
export function validateInterfaceAddress(path: FieldLocation, value: string): FieldError[] {
  const network = parseCidr(value);
  if (network === undefined) {
    return [
      invalidError(path, value, 'must be a valid address in CIDR form, (e.g. 10.9.8.7/24 or 2001:db8::1/64)'),
    ];
  }
  const { address, prefixLength } = network;
  const length = isIpv4Mapped(address) && prefixLength > 32 ? prefixLength - 96 : prefixLength;
  const canonical = `${formatIp(address)}/${length}`;
  return value === canonical
    ? []
    : [invalidError(path, value, `must be in canonical form (${goQuote(canonical)})`)];
}

/** For values that passed {@link validateLegacyIp} or were stored before it existed. */
export function ipWarnings(path: FieldLocation, value: string): string[] {
  const address = parseIp(value);
  if (address === undefined) return [];
  const canonical = formatIp(address);
  if (hasLeadingZeros(value) || isIpv4Mapped(address)) {
    return [`${path}: non-standard IP address ${goQuote(value)} is invalid: use ${goQuote(canonical)}`];
  }
  return address.version === 6 && canonical !== value
    ? [
        `${path}: IPv6 address ${goQuote(value)} should be in RFC 5952 canonical format (${goQuote(canonical)})`,
      ]
    : [];
}

export function cidrWarnings(path: FieldLocation, value: string): string[] {
  const network = parseCidr(value);
  if (network === undefined) return [];
  const { address } = network;
  const canonical = formatCidr(network);
  const warnings: string[] = [];
  if (networkAddress(network).value !== address.value) {
    const single = `${formatIp(address)}/${bitsOf(address)}`;
    warnings.push(
      `${path}: CIDR value ${goQuote(value)} is ambiguous in this context (should be ${goQuote(canonical)} or ${goQuote(single)}?)`,
    );
  }
  if (hasLeadingZeros(value) || /\/0[0-9]/.test(value) || isIpv4Mapped(address)) {
    warnings.push(`${path}: non-standard CIDR value ${goQuote(value)} is invalid: use ${goQuote(canonical)}`);
  }
  if (warnings.length === 0 && address.version === 6 && canonical !== value) {
    warnings.push(
      `${path}: IPv6 CIDR value ${goQuote(value)} should be in RFC 5952 canonical format (${goQuote(canonical)})`,
    );
  }
  return warnings;
}

/** In an octet of an IPv4 address, even inside IPv6; or in an IPv6 group that has five digits because of them. */
const hasLeadingZeros = (text: string): boolean =>
  (/^[^/]*\./.test(text) && /(^|[.:])0[0-9]+(?=[./]|$)/.test(text)) ||
  /[0-9a-fA-F]{5}.*:|:.*[0-9a-fA-F]{5}/.test(text);
