import { ManualClock } from '@coxswain/apimachinery';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { CertificateAuthority } from '../../../../test/attack/certificate-authority.ts';
import { startedServer, type StartedServer } from '../testing/started-server.ts';
import { combinedTrust } from './combined-trust.ts';

const now = Date.now();
let ours: string;
let theirs: string;
beforeAll(async () => {
  ours = (await CertificateAuthority.create('ours')).pem;
  theirs = (await CertificateAuthority.create('theirs')).pem;
});

const lines = (pem = ''): readonly string[] => pem.trim().split('\n');

describe('what is published', () => {
  test('has the authorities of this server and of others, each once', () => {
    const before = { 'client-ca-file': theirs };
    const once = combinedTrust(before, { 'client-ca-file': ours }, now);
    const twice = combinedTrust(once, { 'client-ca-file': ours }, now);
    expect(lines(once['client-ca-file'])).toEqual([...lines(theirs), ...lines(ours)]);
    expect(twice).toEqual(once);
  });

  test("has lists that start with others' values", () => {
    const proxies = (name: string) => ({
      'requestheader-client-ca-file': ours,
      'requestheader-allowed-names': JSON.stringify([name, 'both']),
      'requestheader-username-headers': '["X-Remote-User"]',
      'requestheader-group-headers': '[]',
      'requestheader-extra-headers-prefix': '',
      'requestheader-uid-headers': '[]',
    });
    expect(combinedTrust(proxies('a'), proxies('b'), now)).toEqual({
      'requestheader-client-ca-file': ours.endsWith('\n') ? ours : `${ours}\n`,
      'requestheader-allowed-names': '["a","both","b"]',
      'requestheader-username-headers': '["X-Remote-User"]',
      'requestheader-group-headers': '[]',
      'requestheader-extra-headers-prefix': '[]',
    });
  });

  test('has no certificate that is over, and lists only beside an authority of proxies', () => {
    const before = { 'client-ca-file': theirs, 'requestheader-allowed-names': '["a"]', other: 'x' };
    const inCenturies = now + 1_000 * 365 * 24 * 60 * 60 * 1000;
    expect(combinedTrust(before, {}, inCenturies)).toEqual({});
  });

  test('is not guessed at where it can’t be read', () => {
    expect(() => combinedTrust({ 'requestheader-allowed-names': '{}' }, {}, now)).toThrow('not a list');
    expect(() => combinedTrust({ 'client-ca-file': 'x' }, {}, now)).toThrow('does not contain any valid');
  });
});

describe('the ConfigMap extension-apiserver-authentication', () => {
  const path = '/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication';
  let server: StartedServer | undefined;
  afterEach(async () => {
    await server?.stop();
    server = undefined;
  });

  async function started() {
    const clock = new ManualClock(now);
    server = await startedServer({ clock, publishedAuthentication: { 'client-ca-file': ours } });
    const { send } = server;
    const authorities = async () => {
      const { data } = JSON.parse((await send('GET', path)).text) as { data?: Record<string, string> };
      return lines(data?.['client-ca-file']);
    };
    return { clock, send, authorities };
  }

  test('is not written by a server that trusts no certificates', async () => {
    server = await startedServer({ publishedAuthentication: {} });
    expect((await server.send('GET', path)).status).toBe(404);
  });

  test('comes back when it is deleted', async () => {
    const { clock, send, authorities } = await started();
    expect(await authorities()).toEqual(lines(ours));
    await send('DELETE', path);
    await clock.advance(1);
    expect(await authorities()).toEqual(lines(ours));
  });

  test('keeps what others add, and within a minute restores what they remove', async () => {
    const { clock, send, authorities } = await started();
    const data = { 'client-ca-file': theirs };
    await send('PATCH', path, { data }, 'application/merge-patch+json');
    expect(await authorities()).toEqual(lines(theirs));
    await clock.advance(61_000);
    expect(await authorities()).toEqual([...lines(theirs), ...lines(ours)]);
  });

  test('is tried again after a failure', async () => {
    const { clock, send, authorities } = await started();
    const merge = 'application/merge-patch+json';
    await send('PATCH', path, { data: { 'client-ca-file': 'nonsense' } }, merge);
    await clock.advance(61_000);
    expect(await authorities()).toEqual(['nonsense']);
    await send('PATCH', path, { data: { 'client-ca-file': theirs } }, merge);
    await clock.advance(30_000);
    expect(await authorities()).toEqual([...lines(theirs), ...lines(ours)]);
  });
});
