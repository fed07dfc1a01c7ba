/** Objects written by a server that emulates a version can be read by servers of the previous version. */
import { decodeEnvelope } from '@coxswain/schema';
import { versionNamed } from '@coxswain/component-base/effective-version.ts';
import { MemoryStorage } from '@coxswain/storage';
import { expect, onTestFinished, test } from 'vitest';
import { parseRuntimeConfig } from '../../src/runtime-config.ts';
import { storesOf } from '../../src/server-stores.ts';
import { startedServer } from '../../src/testing/started-server.ts';

const forms = ['json', 'protobuf'] as const;

async function started(version: string, form: (typeof forms)[number], storage = new MemoryStorage()) {
  const server = await startedServer({
    version: versionNamed(version),
    storage,
    where: storesOf(() => storage, form),
    runtimeConfig: parseRuntimeConfig('api/all=true'),
  });
  onTestFinished(() => server.stop());
  const stored = async (key: string): Promise<string> => {
    const { value } = (await storage.get(`/registry/${key}`))!;
    if (form === 'protobuf') return decodeEnvelope(value).apiVersion;
    return (JSON.parse(new TextDecoder().decode(value)) as { apiVersion: string }).apiVersion;
  };
  return { ...server, stored, storage };
}

const classes = '/apis/storage.k8s.io/v1beta1/volumeattributesclasses';
const fast = {
  apiVersion: 'storage.k8s.io/v1beta1',
  kind: 'VolumeAttributesClass',
  metadata: { name: 'fast' },
  driverName: 'disks.example.com',
  parameters: { speed: 'high' },
};

const claims = '/apis/resource.k8s.io/v1beta1/namespaces/default/resourceclaims';
const claim = {
  apiVersion: 'resource.k8s.io/v1beta1',
  kind: 'ResourceClaim',
  metadata: { name: 'gpu' },
  spec: { devices: { requests: [{ name: 'one', deviceClassName: 'gpu' }] } },
};

test.each([
  // New in 1.34; servers of 1.33, with which 1.34 is compatible by default, do not know it.
  ['1.34', 'storage.k8s.io/v1beta1', 'resource.k8s.io/v1beta2'],
  ['1.35', 'storage.k8s.io/v1', 'resource.k8s.io/v1'],
  ['1.36', 'storage.k8s.io/v1', 'resource.k8s.io/v1'],
])('as %s, objects are stored as %s and %s', async (version, classVersion, claimVersion) => {
  for (const form of forms) {
    const { send, stored } = await started(version, form);
    expect((await send('POST', classes, fast)).status).toBe(201);
    expect(await stored('volumeattributesclasses/fast')).toBe(classVersion);
    expect((await send('POST', claims, claim)).status).toBe(201);
    expect(await stored('resourceclaims/default/gpu')).toBe(claimVersion);
  }
});

test('a policy that mutates is stored as v1beta1 by 1.36, as by the original', async () => {
  const { send, stored } = await started('1.36', 'json');
  const binding = { metadata: { name: 'a' }, spec: { policyName: 'a' } };
  const path = '/apis/admissionregistration.k8s.io/v1/mutatingadmissionpolicybindings';
  expect((await send('POST', path, binding)).status).toBe(201);
  expect(await stored('mutatingadmissionpolicybindings/a')).toBe('admissionregistration.k8s.io/v1beta1');
});

test.each(forms)('in %s, all that is written comes back, and the same again is no write', async (form) => {
  const { send, storage } = await started('1.34', form);
  const created = (await send('POST', claims, claim)).text;
  const latest = '/apis/resource.k8s.io/v1/namespaces/default/resourceclaims/gpu';
  const read = await send('GET', latest);
  expect(read.body.spec).toEqual({
    devices: {
      requests: [
        {
          name: 'one',
          exactly: { deviceClassName: 'gpu', allocationMode: 'ExactCount', count: 1 },
        },
      ],
    },
  });
  const again = await send('PUT', `${claims}/gpu`, JSON.parse(created) as object);
  expect(again.text).toBe(created);

  // Another server, which knows the objects only from the store.
  const other = await started('1.36', form, storage);
  expect((await other.send('GET', latest)).text).toBe(read.text);
  expect((await other.send('PUT', latest, JSON.parse(read.text) as object)).text).toBe(read.text);
});
