import { expect, test } from 'vitest';
import { withServers, type StorageVersion } from './server-records.ts';

const server = (apiServerID: string, encodingVersion: string) => ({
  apiServerID,
  encodingVersion,
  decodableVersions: [encodingVersion],
});

const version = (status: object): StorageVersion =>
  ({ metadata: { name: 'apps.deployments', generation: 3 }, status }) as unknown as StorageVersion;

const before = version({
  storageVersions: [server('a', 'apps/v1'), server('b', 'apps/v2')],
  conditions: [
    { type: 'AllEncodingVersionsEqual', status: 'False', reason: 'x', lastTransitionTime: 'then' },
  ],
});

test('servers that are left and agree have a common version from now on', () => {
  expect(withServers(before, [server('a', 'apps/v1')], 'now').status).toMatchObject({
    commonEncodingVersion: 'apps/v1',
    conditions: [{ status: 'True', reason: 'CommonEncodingVersionSet', lastTransitionTime: 'now' }],
  });
});

test('servers that do not agree have none, and the time of that stays', () => {
  const { status } = withServers(before, [server('a', 'apps/v1'), server('c', 'apps/v3')], 'now');
  expect(status).not.toHaveProperty('commonEncodingVersion');
  expect(status?.conditions).toMatchObject([{ status: 'False', lastTransitionTime: 'then' }]);
});
