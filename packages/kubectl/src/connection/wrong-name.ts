/** Go's message for a certificate that is valid for other names. */
import { isIP } from 'node:net';
import { canonicalIp } from '@coxswain/apimachinery/ip-address.ts';

/** Node's details of the error. */
export interface NameMismatch {
  /** The expected name. */
  readonly host?: string;
  readonly cert?: {
    /** `DNS:localhost, IP Address:127.0.0.1`; names with special characters are quoted. */
    readonly subjectaltname?: string;
  };
}

/** Further names are only counted. */
const namesMax = 100;

/** @param otherwise the expected name, if the error doesn't contain it */
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
