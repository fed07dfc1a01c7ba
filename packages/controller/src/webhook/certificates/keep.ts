/** The Secret that stores certificates. */

import { isStatusError } from '@coxswain/apimachinery';
import type { KindRef, KubeClient } from '@coxswain/client';
import {
  newAuthority,
  newCertificate,
  type AuthorityData,
  type CertificateData,
  type Names,
} from './issue.ts';
import { stillTrusted, usableAuthority, usableCertificate, type FoundData } from './judge.ts';

export interface SecretName {
  readonly namespace: string;
  readonly name: string;
}

/** Certificates are valid for a year and renewed this long before they expire, as by cert-controller. */
export const renewalMs = 90 * 24 * 3_600_000;
/** An attempt fails only if another instance wrote first, whose certificates are then usable. */
const triesMax = 5;

/** In the form of the API. */
interface SecretObject {
  readonly metadata: { readonly resourceVersion?: string };
  readonly type?: string;
  readonly data?: Readonly<Record<string, string>>;
}

const Secret: KindRef<SecretObject> = { apiVersion: 'v1', kind: 'Secret' };

/**
 * Returns the contents of the Secret after creating what is missing or expires soon. Its other keys are kept.
 * @param names the names of the server
 * @throws StatusError for missing permissions
 */
export async function keptCertificates(
  client: KubeClient,
  { namespace, name }: SecretName,
  names: Names,
  nowMs: number,
): Promise<CertificateData> {
  const secrets = client.of(Secret).namespace(namespace);
  for (let tries = 1; ; tries++) {
    const current = await secrets.get(name).catch((error: unknown) => {
      if (isStatusError(error, 'NotFound')) return undefined;
      throw error;
    });
    const found = decoded(current?.data);
    const authority = usableAuthority(found, nowMs + renewalMs);
    const usable = authority && usableCertificate(found, authority, names, nowMs + renewalMs);
    if (usable !== undefined) return usable;
    const made = await newCertificate(authority ?? (await nextAuthority(name, found, nowMs)), names, nowMs);
    const data = { ...current?.data, ...encoded(made) };
    try {
      if (current === undefined)
        await secrets.create({ metadata: { name }, type: 'kubernetes.io/tls', data } as never);
      else await secrets.update({ ...current, data });
      return made;
    } catch (error) {
      // Another instance was first; its certificates can be used by this one, too.
      const isLate = isStatusError(error, 'AlreadyExists') || isStatusError(error, 'Conflict');
      if (!isLate || tries === triesMax) throw error;
    }
  }
}

/** The previous authority remains trusted, since other instances may still use certificates signed by it. */
async function nextAuthority(name: string, found: FoundData, nowMs: number): Promise<AuthorityData> {
  const made = await newAuthority(`${name}-ca`, nowMs);
  return { ...made, 'ca.crt': made['ca.crt'] + stillTrusted(found['ca.crt'], nowMs) };
}

const encoded = (data: CertificateData): Record<string, string> =>
  Object.fromEntries(Object.entries(data).map(([name, text]: [string, string]) => [name, btoa(text)]));

const decoded = (data: SecretObject['data'] = {}): FoundData =>
  Object.fromEntries(
    Object.entries(data).map(([name, text]) => [name, Buffer.from(text, 'base64').toString('latin1')]),
  );
