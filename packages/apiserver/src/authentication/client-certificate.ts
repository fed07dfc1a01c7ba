/** A client certificate's common name is the user, its organizations are the groups. */
import type { ClientCertificate } from '../http/api-request.ts';
import type { UserInfo } from '../user.ts';
import { absent } from './authenticator.ts';
import type { Authentication, Authenticator } from './authenticator.ts';
import { withAuthenticatedGroup } from './union.ts';

const known = new WeakMap<ClientCertificate, Authentication>();

export const clientCertificate: Authenticator = {
  name: 'client-certificate',
  authenticate({ incoming: { peer } }) {
    const { certificate } = peer;
    if (certificate === undefined) return absent;
    let found = known.get(certificate);
    if (found === undefined) known.set(certificate, (found = judge(certificate)));
    return found;
  },
};

function judge(certificate: ClientCertificate): Authentication {
  if (!certificate.verified) {
    return {
      kind: 'refused',
      reason: `verifying certificate failed: ${certificate.problem ?? 'unknown authority'}`,
    };
  }
  if (certificate.commonName === '') return absent;
  return { kind: 'authenticated', user: withAuthenticatedGroup(userOf(certificate)) };
}

function userOf({ commonName, organizations, uid, credentialId }: ClientCertificate): UserInfo {
  return {
    name: commonName,
    groups: organizations,
    ...(uid === undefined ? undefined : { uid }),
    ...(credentialId === undefined
      ? undefined
      : { extra: { 'authentication.kubernetes.io/credential-id': [credentialId] } }),
  };
}
