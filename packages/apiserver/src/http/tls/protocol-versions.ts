/** TLS versions by the names that `--tls-min-version` accepts. */
import type { SecureVersion } from 'node:tls';

const versions: Readonly<Record<string, SecureVersion>> = {
  VersionTLS10: 'TLSv1',
  VersionTLS11: 'TLSv1.1',
  VersionTLS12: 'TLSv1.2',
  VersionTLS13: 'TLSv1.3',
};

export const versionNames: readonly string[] = Object.keys(versions);

/** @throws Error with upstream's message for an unknown name */
export function tlsVersion(name: string): SecureVersion {
  if (name === '') return 'TLSv1.2';
  const version = versions[name];
  if (version === undefined) throw new Error(`unknown tls version ${JSON.stringify(name)}`);
  return version;
}
