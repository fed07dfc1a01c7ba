/** Extracts registry credentials from Secrets of the docker types. */
import { createHash } from 'node:crypto';
import type { Secret } from '@coxswain/api/core/v1/secret.ts';
import { goJson } from '@coxswain/apimachinery/go-quote.ts';
import type { PullSecret } from './pull-records.ts';
import { untagged } from '../config/verification-policy.ts';

export interface RegistryCredentials {
  readonly username: string;
  readonly password: string;
  /** The Secret that contains them. */
  readonly source: PullSecret;
}

interface AuthEntry {
  readonly email?: string;
  readonly auth?: string;
  readonly username?: string;
  readonly password?: string;
}

/** The most specific first: those for `host/path` before those for `host`. An unreadable Secret has none. */
export function credentialsFor(image: string, secrets: readonly Secret[]): readonly RegistryCredentials[] {
  const repository = repositoryOf(image);
  return secrets
    .flatMap((secret) =>
      Object.entries(entriesOf(secret)).map(([server, entry]) => ({ place: placeOf(server), entry, secret })),
    )
    .filter(({ place }) => matches(place, repository))
    .sort((a, b) => b.place.length - a.place.length)
    .map(({ entry, secret }) => ({ ...loginOf(entry), source: sourceOf(secret, entry) }));
}

function sourceOf({ metadata }: Secret, entry: AuthEntry): PullSecret {
  const { uid = '', namespace = '', name = '' } = metadata ?? {};
  return { uid, namespace, name, credentialHash: hashOf(entry) };
}

/** The hash in the records of the upstream kubelet. */
function hashOf(entry: AuthEntry): string {
  const { username, password } = loginOf(entry);
  const said = Object.entries({ username, password, email: entry.email ?? '' }).filter(
    ([, text]) => text !== '',
  );
  return createHash('sha256')
    .update(goJson(Object.fromEntries(said)))
    .digest('hex');
}

function entriesOf({ type, data }: Secret): Readonly<Record<string, AuthEntry>> {
  try {
    const modern = data?.['.dockerconfigjson'];
    if (type === 'kubernetes.io/dockerconfigjson' && modern !== undefined)
      return (JSON.parse(textOf(modern)) as { auths?: Record<string, AuthEntry> }).auths ?? {};
    const old = data?.['.dockercfg'];
    if (type === 'kubernetes.io/dockercfg' && old !== undefined)
      return JSON.parse(textOf(old)) as Record<string, AuthEntry>;
  } catch {
    // The pull itself will report missing permissions.
  }
  return {};
}

const textOf = (base64: string): string => new TextDecoder().decode(Uint8Array.fromBase64(base64));

/** `busybox` is `index.docker.io/library/busybox`. */
function repositoryOf(image: string): string {
  const name = untagged(image);
  const [first = '', ...rest] = name.split('/');
  const hasHost = rest.length > 0 && (/[.:]/.test(first) || first === 'localhost');
  if (!hasHost) return `index.docker.io/${rest.length === 0 ? `library/${name}` : name}`;
  return first === 'docker.io' ? `index.docker.io/${rest.join('/')}` : name;
}

const placeOf = (server: string): string =>
  server
    .replace(/^https?:\/\//, '')
    .replace(/\/(v1|v2)?\/?$/, '')
    .replace(/^docker\.io(?=\/|$)/, 'index.docker.io');

/** `*` matches one label of the host name. */
function matches(place: string, repository: string): boolean {
  const [host = '', ...path] = place.split('/');
  const [repositoryHost = '', ...repositoryPath] = repository.split('/');
  const parts = host.split('.');
  const repositoryParts = repositoryHost.split('.');
  if (parts.length !== repositoryParts.length) return false;
  const hostFits = parts.every((part, index) => part === '*' || part === repositoryParts[index]);
  return hostFits && path.every((part, index) => part === repositoryPath[index]);
}

function loginOf({ auth, username, password }: AuthEntry): { username: string; password: string } {
  if (auth === undefined) return { username: username ?? '', password: password ?? '' };
  const [user = '', ...rest] = textOf(auth).split(':');
  return { username: user, password: rest.join(':') };
}
