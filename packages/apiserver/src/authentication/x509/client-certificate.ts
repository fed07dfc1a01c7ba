/** Authenticates by client certificate: the common name is the user, the organizations are the groups. */
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import type { ClientCertificate } from '../../http/api-request.ts';
import { absent, refused, type Authentication, type Authenticator } from '../authenticator.ts';
import type { Authorities } from './authorities.ts';
import { readCertificate, type Certificate } from './certificate.ts';

export interface ClientCertificateOptions {
  readonly authorities: Authorities;
  /** SHA-256 as hexadecimal digits. */
  readonly sha256: (bytes: Uint8Array) => string;
  /** Whether the subject's uid is read. */
  readonly readsUid: boolean;
  /** Called on each connection's first use with the seconds until the certificate expires. */
  readonly noteLifetime?: (seconds: number) => void;
}

export function clientCertificate(options: ClientCertificateOptions): Authenticator {
  const { authorities, noteLifetime } = options;
  const users = new WeakMap<ClientCertificate, Holder>();
  return {
    name: 'client-certificate',
    authenticate({ incoming: { peer }, receivedAtMs }) {
      const { certificate } = peer;
      if (certificate === undefined) return absent;
      let holder = users.get(certificate);
      if (holder === undefined) users.set(certificate, (holder = holderOf(certificate, options)));
      noteLifetime?.((holder.notAfterMs - receivedAtMs) / 1000);
      const problem = authorities.problemOf(certificate, receivedAtMs);
      return problem === undefined
        ? holder.authentication
        : refused(`verifying certificate ${holder.identifier} failed: ${problem}`);
    },
  };
}

interface Holder {
  readonly authentication: Authentication;
  readonly identifier: string;
  readonly notAfterMs: number;
}

function holderOf({ der }: ClientCertificate, options: ClientCertificateOptions): Holder {
  try {
    const certificate = readCertificate(der);
    return {
      authentication: authenticationOf(certificate, options),
      identifier: identifierOf(certificate),
      notAfterMs: certificate.notAfterMs,
    };
  } catch (failure) {
    const message = messageOf(failure);
    return { authentication: refused(message), identifier: '', notAfterMs: 0 };
  }
}

function authenticationOf(
  { commonName, organizations, uids, der }: Certificate,
  { sha256, readsUid }: ClientCertificateOptions,
): Authentication {
  if (commonName === '') return absent;
  if (readsUid && uids.length > 1) return refused(`expected 1 UID, but found multiple: [${uids.join(' ')}]`);
  if (readsUid && uids[0] === '') return refused('UID cannot be an empty string');
  const uid = readsUid ? uids[0] : undefined;
  return {
    kind: 'authenticated',
    user: {
      name: commonName,
      groups: organizations,
      ...(uid === undefined ? undefined : { uid }),
      extra: { 'authentication.kubernetes.io/credential-id': [`X509SHA256=${sha256(der)}`] },
    },
  };
}

/** Identifies the certificate in the log. */
function identifierOf({ serialNumber, extensions: { subjectKeyId, authorityKeyId } }: Certificate): string {
  return `SN=${serialNumber}, SKID=${digits(subjectKeyId)}, AKID=${digits(authorityKeyId)}`;
}

const digits = (bytes: Uint8Array | undefined): string =>
  [...(bytes ?? [])].map((byte) => byte.toString(16).padStart(2, '0').toUpperCase()).join(':');
