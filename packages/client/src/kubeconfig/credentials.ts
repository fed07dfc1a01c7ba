/** The client's credentials: a token, a password, a certificate, or a plugin that obtains one of them. */

import { readFileSync } from 'node:fs';
import type { Clock } from '@coxswain/apimachinery';
import { ExecCredentials, type ClientCertificate } from './exec-credential.ts';
import { dataOrFile } from './data-or-file.ts';
import { openFailure } from './load.ts';
import type { KubeconfigCluster, KubeconfigUser } from './kubeconfig.ts';

/** @internal */
export interface Credentials {
  /** Returns the value of the Authorization header; undefined for none. `refresh`: the last one was refused. */
  authorization(refresh?: boolean): Promise<string | undefined>;
  certificate(): Promise<ClientCertificate | undefined>;
  /** For impersonation and similar. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
}

/** Files are read again after this time, since projected tokens and certificates are rotated. */
const fileTtlMs = 60_000;

/**
 * @throws Error if a file cannot be read
 * @internal
 */
export function credentialsOf(user: KubeconfigUser, cluster: KubeconfigCluster, clock: Clock): Credentials {
  const certificate = certificateOf(user, clock);
  const headers = impersonationHeaders(user);
  if (user.exec && !user.token && !user.tokenFile && !user.username && certificate === undefined) {
    const exec = new ExecCredentials(user.exec, cluster, clock);
    return {
      authorization: async (refresh) => bearer((await exec.get(refresh)).token),
      certificate: async () => (await exec.get()).certificate,
      headers,
    };
  }
  const tokenFile = user.token ? undefined : user.tokenFile;
  const failure = tokenFile ? openFailure(tokenFile) : undefined;
  if (failure !== undefined) throw new Error(failure);
  const authorization = tokenFile ? fromFile(tokenFile, clock) : fixed(user);
  return { authorization, certificate: async () => certificate?.(), headers };
}

/**
 * Only impersonation, without credentials.
 * @internal
 */
export const impersonationOf = (user: KubeconfigUser): Credentials => ({
  authorization: async () => undefined,
  certificate: async () => undefined,
  headers: impersonationHeaders(user),
});

function fixed(user: KubeconfigUser): () => Promise<string | undefined> {
  const header = user.token
    ? `Bearer ${user.token}`
    : user.username || user.password
      ? `Basic ${Buffer.from(`${user.username ?? ''}:${user.password ?? ''}`).toString('base64')}`
      : undefined;
  return async () => header;
}

function fromFile(file: string, clock: Clock): (refresh?: boolean) => Promise<string | undefined> {
  const token = rereadFile(clock, () => {
    const read = readFileSync(file, 'utf8').trim();
    if (read === '') throw new Error(`read empty token from file "${file}"`);
    return read;
  });
  return async (refresh) => bearer(token(refresh));
}

/**
 * Re-reads files that are rotated. While they can't be read, as during replacement, their last contents remain valid.
 */
function rereadFile<T>(clock: Clock, read: () => T, first?: T): (refresh?: boolean) => T {
  let known: { readonly value: T } | undefined = first === undefined ? undefined : { value: first };
  let readMs = first === undefined ? -Infinity : clock.monotonic();
  return (refresh = false) => {
    if (known !== undefined && !refresh && clock.monotonic() - readMs <= fileTtlMs) return known.value;
    readMs = clock.monotonic();
    try {
      known = { value: read() };
      return known.value;
    } catch (failure) {
      if (known === undefined) throw failure;
      return known.value;
    }
  };
}

const bearer = (token: string | undefined): string | undefined => (token ? `Bearer ${token}` : undefined);

/**
 * Undefined if there is none; from files, it reflects their current contents. @throws Error if a file cannot be read
 */
function certificateOf(user: KubeconfigUser, clock: Clock): (() => ClientCertificate) | undefined {
  const read = (): ClientCertificate | undefined => {
    const certificate = dataOrFile(user['client-certificate-data'], user['client-certificate']);
    // A key without a certificate is useless, and not even read.
    if (certificate === undefined) return undefined;
    const key = dataOrFile(user['client-key-data'], user['client-key']);
    return key === undefined ? undefined : { certificate, key };
  };
  const first = read();
  if (first === undefined) return undefined;
  if (user['client-certificate-data'] && user['client-key-data']) return () => first;
  return rereadFile(
    clock,
    () => {
      const now = read();
      // During rotation, certificate and key may not match yet.
      if (now === undefined || !belongTogether(now))
        throw new Error('the client certificate and its key do not match');
      return now;
    },
    first,
  );
}

function belongTogether({ certificate, key }: ClientCertificate): boolean {
  // Loading it takes as long as a short command, and few clients rotate certificates.
  const { createPrivateKey, X509Certificate } = process.getBuiltinModule('node:crypto');
  try {
    return new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key));
  } catch {
    return false;
  }
}

function impersonationHeaders(user: KubeconfigUser): Record<string, string | readonly string[]> {
  const headers: Record<string, string | readonly string[]> = {};
  if (user.as) headers['impersonate-user'] = user.as;
  if (user['as-uid']) headers['impersonate-uid'] = user['as-uid'];
  if (user['as-groups']?.length) headers['impersonate-group'] = user['as-groups'];
  for (const [key, values] of Object.entries(user['as-user-extra'] ?? {})) {
    headers[`impersonate-extra-${encodeURIComponent(key).toLowerCase()}`] = values;
  }
  return headers;
}
