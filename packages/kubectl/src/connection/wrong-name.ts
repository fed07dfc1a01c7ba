/** That a certificate is for somebody else, as Go says it. */
import { isIP } from 'node:net';
import { canonicalIp } from '@coxswain/apimachinery/ip-address.ts';

/** What Node tells of it. */
export interface NameMismatch {
  /** Who was expected. */
  readonly host?: string;
  readonly cert?: {
    /** `DNS:localhost, IP Address:127.0.0.1`; quoted where a name has odd signs. */
    readonly subjectaltname?: string;
  };
}

/** Names beyond that many are only counted. */
const namesMax = 100;

/** @param otherwise who was expected, where the error doesn't say */
export function wrongNameText({ host, cert }: NameMismatch, otherwise: string): string {
  const wanted = host ?? otherwise;
  const names = (cert?.subjectaltname ?? '').split(', ');
  const isAddress = isIP(wanted) !== 0;
  const valid = isAddress
    ? valuesOf(names, 'IP Address:').map((one) => canonicalIp(one) ?? one)
    : valuesOf(names, 'DNS:');
  if (valid.length === 0) {
    return isAddress
      ? `cannot validate certificate for ${wanted} because it doesn't contain any IP SANs`
      : `certificate is not valid for any names, but wanted to match ${wanted}`;
  }
  return valid.length >= namesMax
    ? `certificate is valid for ${valid.length} names, but none matched ${wanted}`
    : `certificate is valid for ${valid.join(', ')}, not ${wanted}`;
}

const valuesOf = (names: readonly string[], kind: string): readonly string[] =>
  names.filter((name) => name.startsWith(kind)).map((name) => name.slice(kind.length));
