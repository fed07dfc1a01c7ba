/**
 * Combines the trust data that is already published, by this server or by others of the cluster, with what this server
 * publishes. Nothing is removed but expired certificates.
 */
import { readCertificate } from '@coxswain/apiserver/authentication/x509/certificate.ts';
import { certificatesInPem } from '@coxswain/apiserver/authentication/x509/authorities.ts';

/** The data of the ConfigMap `extension-apiserver-authentication`. */
export type PublishedTrust = Readonly<Record<string, string>>;

/** Tolerates clients' clock skew: a certificate counts for this long after its expiry. */
const expirySlackMs = 5 * 60 * 1000;

const clientAuthorities = 'client-ca-file';
const proxyAuthorities = 'requestheader-client-ca-file';
const uidHeaders = 'requestheader-uid-headers';

const proxyLists = [
  'requestheader-username-headers',
  'requestheader-group-headers',
  'requestheader-extra-headers-prefix',
  'requestheader-allowed-names',
] as const;

/** @throws Error when the published data cannot be read */
export function combinedTrust(
  published: PublishedTrust,
  wanted: PublishedTrust,
  nowMs: number,
): PublishedTrust {
  const clients = joinedAuthorities(published[clientAuthorities], wanted[clientAuthorities], nowMs);
  const proxies = joinedAuthorities(published[proxyAuthorities], wanted[proxyAuthorities], nowMs);
  const lists = [...proxyLists, uidHeaders].map(
    (name) => [name, joinedLists(published[name], wanted[name])] as const,
  );
  if (proxies === '') return clients === '' ? {} : { [clientAuthorities]: clients };
  return {
    ...(clients !== '' && { [clientAuthorities]: clients }),
    [proxyAuthorities]: proxies,
    ...Object.fromEntries(
      lists
        .filter(([name, items]) => name !== uidHeaders || items.length > 0)
        .map(([name, items]) => [name, JSON.stringify(items)]),
    ),
  };
}

function joinedLists(published = '', wanted = ''): readonly string[] {
  return [...new Set([published, wanted].filter((text) => text !== '').flatMap(listIn))];
}

function listIn(text: string): readonly string[] {
  const list: unknown = JSON.parse(text);
  if (list === null) return [];
  if (Array.isArray(list) && list.every((item) => typeof item === 'string')) return list;
  throw new Error(`not a list of texts: ${text.slice(0, textShownMax)}`);
}

const textShownMax = 100;

function joinedAuthorities(published = '', wanted = '', nowMs: number): string {
  const pems = [published, wanted]
    .filter((pem) => pem !== '')
    .flatMap((pem) => certificatesInPem(pem))
    .filter(({ der }) => readCertificate(der).notAfterMs > nowMs - expirySlackMs)
    .map(({ der }) => pemOf(der));
  return [...new Set(pems)].join('');
}

function pemOf(der: Uint8Array): string {
  const lines = btoa(String.fromCharCode(...der)).match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}
