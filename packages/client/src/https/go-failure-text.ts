/** Go's HTTP client messages for webhooks and extenders that do not respond. */
import { isIP } from 'node:net';
import { dialErrorText } from './dial-error.ts';

interface TlsFailure extends NodeJS.ErrnoException {
  readonly host?: string;
  readonly cert?: {
    readonly subjectaltname?: string;
    readonly subject?: { readonly CN?: string };
    readonly valid_to?: string;
  };
}

export function goFailureText(failure: unknown, host: string, port: number): string {
  const { code = '', message = '' } = failure as TlsFailure;
  // The other side closed the connection without a response.
  if (message === 'socket hang up') return 'EOF';
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return `tls: failed to verify certificate: x509: ${wrongNameText(failure as TlsFailure, host)}`;
  }
  if (message.includes('wrong version number') || message.includes('packet length too long')) {
    return 'http: server gave HTTP response to HTTPS client';
  }
  return dialErrorText(failure, host, port);
}

function wrongNameText({ cert, host = '' }: TlsFailure, wanted: string): string {
  const name = host || wanted;
  const names = (cert?.subjectaltname ?? '').split(', ').filter((entry) => entry !== '');
  const ofKind = (prefix: string) =>
    names.filter((entry) => entry.startsWith(prefix)).map((entry) => entry.slice(prefix.length));
  const isAddress = isIP(name) !== 0;
  const valid = ofKind(isAddress ? 'IP Address:' : 'DNS:');
  if (names.length === 0 && cert?.subject?.CN) {
    return 'certificate relies on legacy Common Name field, use SANs instead';
  }
  if (valid.length > 0) return `certificate is valid for ${valid.join(', ')}, not ${name}`;
  return isAddress
    ? `cannot validate certificate for ${name} because it doesn't contain any IP SANs`
    : `certificate is not valid for any names, but wanted to match ${name}`;
}
