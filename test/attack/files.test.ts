/** Files of certificates and keys: links that lead elsewhere or nowhere, and keys that everybody can read. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { systemClock } from '@coxswain/apimachinery';
import { authenticationDefaults } from '@coxswain/kube-apiserver/authentication/default-flags.ts';
import {
  loadAuthentication,
  type LoadedAuthentication,
} from '@coxswain/kube-apiserver/authentication/load-authentication.ts';
import { warnOfOpenKeys } from '@coxswain/kube-apiserver/open-keys.ts';
import { X509Certificate } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { CertificateAuthority } from './certificate-authority.ts';

let directory: string;
let loaded: LoadedAuthentication | undefined;
beforeEach(() => void (directory = mkdtempSync(path.join(tmpdir(), 'files-'))));
afterEach(() => {
  loaded?.stop();
  rmSync(directory, { recursive: true });
});

const at = (name: string) => path.join(directory, name);

function load(clientCaFile: string, logged: string[] = []): LoadedAuthentication {
  const parts = { clock: systemClock, log: (line: string) => logged.push(line), enabled: () => true };
  return (loaded = loadAuthentication({ ...authenticationDefaults, clientCaFile }, parts));
}

test.each<[string, () => void, RegExp]>([
  ['to itself', () => symlinkSync(at('ca.pem'), at('ca.pem')), /ELOOP|too many/],
  ['to nothing', () => symlinkSync(at('gone'), at('ca.pem')), /no such file or directory/],
  ['to a directory', () => symlinkSync(directory, at('ca.pem')), /is a directory/],
])('a link that leads %s stops the server with one line that names it', (_where, make, reason) => {
  make();

  expect(() => load(at('ca.pem'))).toThrow(reason);
  expect(() => load(at('ca.pem'))).toThrow('ca.pem');
});

test('a file without certificates is no authority, and an authority is never exchanged for it', async () => {
  const authority = await CertificateAuthority.create('users');
  const { cert } = await authority.issue({ name: 'CN=jane' });
  const certificate = { der: new Uint8Array(new X509Certificate(cert).raw), intermediates: [] };
  writeFileSync(at('empty.pem'), 'nothing');
  writeFileSync(at('ca.pem'), authority.pem);
  const logged: string[] = [];

  expect(() => load(at('empty.pem'))).toThrow('does not contain any valid');
  const { setup } = load(at('ca.pem'), logged);
  writeFileSync(at('ca.pem'), 'nothing');
  while (logged.length === 0) await new Promise((resolve) => setTimeout(resolve, 20));

  expect(logged[0]).toContain('does not contain any valid');
  expect(setup.clientAuthorities!.problemOf(certificate, Date.now())).toBeUndefined();
});

test('a mounted secret is exchanged by a link beside the files, and that is seen', async () => {
  const [old, next] = await Promise.all(['old', 'new'].map((name) => CertificateAuthority.create(name)));
  for (const [name, authority] of [
    ['v1', old!],
    ['v2', next!],
  ] as const) {
    mkdirSync(at(name));
    writeFileSync(path.join(at(name), 'ca.pem'), authority.pem);
  }
  symlinkSync('v1', at('..data'));
  symlinkSync('..data/ca.pem', at('ca.pem'));
  const logged: string[] = [];
  const { setup } = load(at('ca.pem'), logged);
  const { cert } = await next!.issue({ name: 'CN=jane' });
  const certificate = { der: new Uint8Array(new X509Certificate(cert).raw), intermediates: [] };
  const before = setup.clientAuthorities!.problemOf(certificate, Date.now());

  unlinkSync(at('..data'));
  symlinkSync('v2', at('..data'));
  while (logged.length === 0) await new Promise((resolve) => setTimeout(resolve, 20));

  expect(before).toBe('x509: certificate signed by unknown authority');
  expect(setup.clientAuthorities!.problemOf({ ...certificate }, Date.now())).toBeUndefined();
});

test('a key that others may read is told of, and used', () => {
  const logged: string[] = [];
  for (const [name, mode] of [
    ['own.key', 0o600],
    ['group.key', 0o640],
    ['open.key', 0o644],
  ] as const) {
    writeFileSync(at(name), 'key');
    chmodSync(at(name), mode);
  }
  symlinkSync('open.key', at('link.key'));

  const files = ['own.key', 'group.key', 'open.key', 'link.key', 'gone.key', ''].map(
    (name) => name && at(name),
  );
  warnOfOpenKeys(files, (line) => logged.push(line));

  expect(logged).toEqual(
    ['open.key', 'link.key'].map(
      (name) => `WARNING: ${at(name)} contains a secret and is readable by everyone (mode 0644)`,
    ),
  );
});
