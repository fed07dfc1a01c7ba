/** Network errors with Go's messages, which clients match on. */
import net from 'node:net';

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connect: connection refused',
  EHOSTUNREACH: 'connect: no route to host',
  ENETUNREACH: 'connect: network is unreachable',
  ETIMEDOUT: 'i/o timeout',
  ECONNRESET: 'read: connection reset by peer',
};

const unknownAuthority = 'certificate signed by unknown authority';

const certificateReasons: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: unknownAuthority,
  SELF_SIGNED_CERT_IN_CHAIN: unknownAuthority,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: unknownAuthority,
  UNABLE_TO_GET_ISSUER_CERT: unknownAuthority,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: unknownAuthority,
  INVALID_PURPOSE: 'certificate specifies an incompatible key usage',
};

/** TLS alerts from the other side, by the suffix of OpenSSL's code. */
const alerts: Readonly<Record<string, string>> = {
  CERTIFICATE_REQUIRED: 'certificate required',
  BAD_CERTIFICATE: 'bad certificate',
  CERTIFICATE_EXPIRED: 'expired certificate',
  CERTIFICATE_UNKNOWN: 'unknown certificate',
  UNKNOWN_CA: 'unknown certificate authority',
  HANDSHAKE_FAILURE: 'handshake failure',
};

/** `dial tcp 10.0.0.1:80: connect: connection refused` */
export function dialErrorText(failure: unknown, host: string, port: string | number): string {
  const { code = '', message, address = host } = lastOf(failure);
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `dial tcp: lookup ${host}: no such host`;
  const reason = reasons[code];
  if (reason !== undefined)
    return `dial tcp ${net.isIPv6(address) ? `[${address}]` : address}:${port}: ${reason}`;
  const alert = alerts[/^ERR_SSL_\w+?_ALERT_(\w+)$/.exec(code)?.[1] ?? ''];
  if (alert !== undefined) return `remote error: tls: ${alert}`;
  if (code === 'EPROTO' || code.startsWith('ERR_SSL'))
    return 'tls: first record does not look like a TLS handshake';
  const certificate = certificateReasons[code];
  if (certificate !== undefined) return `tls: failed to verify certificate: x509: ${certificate}`;
  if (/self[- ]signed|unable to (verify|get)|CERT_|altnames/i.test(`${code} ${message}`))
    return `tls: failed to verify certificate: x509: ${message}`;
  return message === 'socket hang up' ? 'EOF' : message;
}

/** A host name may have several addresses, each of which failed. */
const lastOf = (failure: unknown): NodeJS.ErrnoException & { readonly address?: string } =>
  failure instanceof AggregateError ? failure.errors.at(-1) : (failure as NodeJS.ErrnoException);
