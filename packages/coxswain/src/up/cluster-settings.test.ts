import { hostname } from 'node:os';
import { defaultsOf } from '@coxswain/cobra';
import { expect, test } from 'vitest';
import { clusterSettings, servedHosts } from './cluster-settings.ts';
import { upFlags, type UpFlags } from './up-flags.ts';

const flagsWith = (given: Partial<UpFlags>): UpFlags => ({ ...defaultsOf(upFlags), ...given });
const nowhere = { log: () => undefined, print: () => undefined };
const hostsWith = async (given: Partial<UpFlags>): Promise<readonly string[]> =>
  servedHosts(await clusterSettings(flagsWith(given), nowhere), flagsWith(given));

test('the certificate is for the address that is listened on, and for the names in --tls-san', async () => {
  expect(await hostsWith({})).toEqual(['127.0.0.1']);
  expect(await hostsWith({ bindAddress: '192.0.2.7', tlsSan: ['*.example.com'] })).toEqual([
    '192.0.2.7',
    '*.example.com',
  ]);
  expect(await hostsWith({ bindAddress: '0.0.0.0', tlsSan: ['cluster'] })).toEqual(['cluster']);
  expect(await hostsWith({ bindAddress: '::' })).toEqual([]);
});

test('features and API versions are those of the flags', async () => {
  const given = { legacyApis: true, runtimeConfig: 'api/alpha=true', featureGates: ['AllBeta=true'] };
  expect(await clusterSettings(flagsWith(given), nowhere)).toMatchObject({
    runtimeConfig: 'api/legacy=true,api/alpha=true',
    featureGates: ['AllBeta=true'],
  });
});

test.each([
  [{ featureGates: ['Nope=true'] }, 'unrecognized feature gate: Nope'],
  [{ runtimeConfig: 'nope/v1=true' }, 'unknown api groups nope/v1'],
  [
    { auditPolicyFile: '/nonexistent/policy.yaml', auditLogPath: '-' },
    'loading audit policy file: failed to read file path "/nonexistent/policy.yaml": open /nonexistent/policy.yaml: no such file or directory',
  ],
] as const)('%j is refused', async (given, message) => {
  await expect(clusterSettings(flagsWith(given), nowhere)).rejects.toThrow(message);
});

test('the certificate of a server is also for the addresses at which machines join', async () => {
  const given = { server: true, advertiseAddress: '192.0.2.7', controlPlaneEndpoint: 'api.example.com' };
  const own = hostname().toLowerCase();
  expect(await hostsWith(given)).toEqual(['192.0.2.7', own, 'api.example.com']);
});
