/**
 * TLS connections whose certificate is verified against the authorities like in Go, where OpenSSL does not: it treats
 * any certificate whose issuer has the same name as its subject as self-signed, whoever signed it. Programs that create
 * their own authority often give both certificates the same name, or none.
 */
import { X509Certificate } from 'node:crypto';
import type { Agent, RequestOptions } from 'node:https';
import { checkServerIdentity, connect, type ConnectionOptions, type TLSSocket } from 'node:tls';

/** Like Node's function. */
export const connectTls = (options: ConnectionOptions): TLSSocket =>
  isJudged(options) ? judged(connect(unjudged(options)), options) : connect(options);

/** Returns an agent whose connections are verified in this way. */
export function judging<A extends Agent>(agent: A): A {
  const direct = agent.createConnection.bind(agent);
  agent.createConnection = (options: RequestOptions & ConnectionOptions, callback) => {
    if (!isJudged(options)) return direct(options, callback);
    return judged(direct(unjudged(options) as RequestOptions, callback) as TLSSocket, options);
  };
  return agent;
}

/** Only with explicit authorities: the system's don't sign such certificates. */
const isJudged = ({ ca, rejectUnauthorized }: ConnectionOptions): boolean =>
  ca !== undefined && rejectUnauthorized !== false;

/** Node would end an untrusted connection before we can verify it; a resumed session has no certificate. */
const unjudged = (options: ConnectionOptions): ConnectionOptions => ({
  ...options,
  rejectUnauthorized: false,
  session: undefined,
});

/** Nothing is written before `secureConnect`; other listeners of that event may find the connection closed. */
function judged(socket: TLSSocket, options: ConnectionOptions): TLSSocket {
  socket.prependOnceListener('secureConnect', () => {
    const problem = problemOf(socket, options);
    if (problem !== undefined) socket.destroy(problem);
  });
  return socket;
}

const wrongName = 'ERR_TLS_CERT_ALTNAME_INVALID';
const seemsSelfSigned = 'DEPTH_ZERO_SELF_SIGNED_CERT';

function problemOf(socket: TLSSocket, options: ConnectionOptions): Error | undefined {
  if (socket.authorized) return undefined;
  const code = String(socket.authorizationError);
  const leaf = socket.getPeerX509Certificate();
  const isSigned = code === seemsSelfSigned && leaf !== undefined && isSignedByOneOf(options.ca, leaf);
  if (code !== wrongName && !isSigned) return Object.assign(new Error(messageOf(code)), { code });
  const { servername, host = 'localhost', checkServerIdentity: check = checkServerIdentity } = options;
  return check(servername || host, socket.getPeerCertificate(true));
}

/** OpenSSL's messages for codes that are reported by message. */
const messageOf = (code: string): string =>
  ({
    CERT_HAS_EXPIRED: 'certificate has expired',
    CERT_NOT_YET_VALID: 'certificate is not yet valid',
    CERT_SIGNATURE_FAILURE: 'certificate signature failure',
    DEPTH_ZERO_SELF_SIGNED_CERT: 'self-signed certificate',
    SELF_SIGNED_CERT_IN_CHAIN: 'self-signed certificate in certificate chain',
    UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'unable to get local issuer certificate',
    UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'unable to verify the first certificate',
    INVALID_CA: 'invalid CA certificate',
    INVALID_PURPOSE: 'unsupported certificate purpose',
    PATH_LENGTH_EXCEEDED: 'path length constraint exceeded',
  })[code] ?? code;

const pemCertificate = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;
const serverAuth = '1.3.6.1.5.5.7.3.1';
const anyUsage = '2.5.29.37.0';
/** The object identifier 2.5.29.30; authorities with name constraints are not handled here. */
const nameConstraints = Buffer.from([0x06, 0x03, 0x55, 0x1d, 0x1e]);

function isSignedByOneOf(authorities: ConnectionOptions['ca'], leaf: X509Certificate): boolean {
  const usages = leaf.keyUsage as readonly string[] | undefined;
  if (usages !== undefined && !usages.some((usage) => usage === serverAuth || usage === anyUsage))
    return false;
  const now = Date.now();
  if (!isValidAt(now, leaf)) return false;
  const bundles = [authorities ?? []].flat();
  const pems = bundles.flatMap((bundle) => bundle.toString().match(pemCertificate) ?? []);
  return pems.some((pem) => {
    try {
      const authority = new X509Certificate(pem);
      return isValidAt(now, authority) && hasSigned(authority, leaf);
    } catch {
      // An unreadable certificate has signed nothing.
      return false;
    }
  });
}

const isValidAt = (now: number, { validFrom, validTo }: X509Certificate): boolean =>
  Date.parse(validFrom) <= now && now <= Date.parse(validTo);

const hasSigned = (authority: X509Certificate, leaf: X509Certificate): boolean =>
  authority.ca &&
  authority.subject === leaf.issuer &&
  !authority.raw.includes(nameConstraints) &&
  leaf.verify(authority.publicKey);
