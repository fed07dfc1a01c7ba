import { hostname } from 'node:os';
import { expect, test } from 'vitest';
import { clusterSettings, servedHosts } from './cluster-settings.ts';
import { upFlags, type UpFlags } from './up-flags.ts';

const flagsWith = (given: Partial<UpFlags>): UpFlags => ({
  ...(Object.fromEntries(Object.entries(upFlags).map(([name, flag]) => [name, flag.default])) as UpFlags),
  ...given,
});
const hostsWith = async (given: Partial<UpFlags>): Promise<readonly string[]> =>
  servedHosts(await clusterSettings(flagsWith(given)), flagsWith(given));

test('the certificate is for the address that is listened on, and for the names in --tls-san', async () => {
  expect(await hostsWith({})).toEqual(['127.0.0.1']);
  expect(await hostsWith({ bindAddress: '192.0.2.7', tlsSan: ['*.example.com'] })).toEqual([
    '192.0.2.7',
    '*.example.com',
  ]);
  expect(await hostsWith({ bindAddress: '0.0.0.0', tlsSan: ['cluster'] })).toEqual(['cluster']);
  expect(await hostsWith({ bindAddress: '::' })).toEqual([]);
});

test('the certificate of a server is also for the addresses at which machines join', async () => {
  const given = { server: true, advertiseAddress: '192.0.2.7', controlPlaneEndpoint: 'api.example.com' };
  const own = hostname().toLowerCase();
  expect(await hostsWith(given)).toEqual(['192.0.2.7', own, 'api.example.com']);
});
