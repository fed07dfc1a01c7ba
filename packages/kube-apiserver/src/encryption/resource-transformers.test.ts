import { ManualClock } from '@coxswain/apimachinery';
import { Metrics } from '@coxswain/apimachinery/metrics/metrics.ts';
import { expect, test } from 'vitest';
import { EncryptionMetrics } from './encryption-metrics.ts';
import { resourceTransformers } from './resource-transformers.ts';

const clock = new ManualClock();
const metrics = new EncryptionMetrics(new Metrics(), 'apiserver-a', clock);
const parts = { clock, newUid: () => 'uid', log: () => undefined, metrics };
const head = 'kind: EncryptionConfiguration\napiVersion: apiserver.config.k8s.io/v1\n';
const load = (text: string) => resourceTransformers(head + text, '/e.yaml', false, parts);
const key = (bytes: number): string => Buffer.alloc(bytes, 1).toString('base64');
const parsing = 'error while parsing file: ';

/** The messages of kube-apiserver 1.36.3. */
const refusals = [
  [
    'no resources',
    'resources: []',
    `${parsing}resources: Required value: at least one resources is required`,
  ],
  [
    'unknown fields',
    'bogus: 1\nresources:\n- resources: [secrets]\n  providers:\n  - aescbc: {keys: [{name: k, secret: QUJD, foo: x}]}',
    `${parsing}error decoding encryption provider configuration file "/e.yaml": strict decoding error: unknown field "bogus", unknown field "resources[0].providers[0].aescbc.keys[0].foo"`,
  ],
  [
    'a short key',
    'resources:\n- resources: [secrets]\n  providers:\n  - aescbc: {keys: [{name: k, secret: QUJD}]}',
    `${parsing}resources[0].providers[0].aescbc.keys[0].secret: Invalid value: "REDACTED": secret is not of the expected length, got 3, expected one of [16 24 32]`,
  ],
  [
    'two providers at once',
    "resources:\n- resources: [secrets]\n  providers:\n  - aesgcm: {keys: [{name: '', secret: '!!'}]}\n    identity: {}",
    `${parsing}[resources[0].providers[0]: Invalid value: {"AESGCM":{"Keys":[{"Name":"","Secret":"!!"}]},"AESCBC":null,"Secretbox":null,"Identity":{},"KMS":null}: more than one provider specified in a single element, should split into different list elements, resources[0].providers[0].aesgcm.keys[0].name: Required value: name is a mandatory field for a key, resources[0].providers[0].aesgcm.keys[0].secret: Invalid value: "REDACTED": secrets must be base64 encoded]`,
  ],
  [
    'a rule that an earlier one covers',
    "resources:\n- resources: ['*.*']\n  providers: [{identity: {}}]\n- resources: ['*.apps']\n  providers: [{identity: {}}]",
    'error while building transformers: resource "*.apps" is masked by earlier rule "*.*"',
  ],
  [
    'version 1 of the KMS API',
    "resources:\n- resources: [secrets]\n  providers:\n  - kms: {name: a, endpoint: 'unix:///x'}",
    'error while building transformers: KMSv1 is deprecated and will only receive security updates going forward. Use KMSv2 instead.  Set --feature-gates=KMSv1=true to use the deprecated KMSv1 feature.',
  ],
  [
    'a KMS on the network, without time',
    "resources:\n- resources: [secrets]\n  providers:\n  - kms: {name: 'a', endpoint: 'http://x', timeout: 0s}",
    `${parsing}[resources[0].providers[0].kms.timeout: Invalid value: "0s": timeout should be a positive value, resources[0].providers[0].kms.endpoint: Invalid value: "http://x": unsupported scheme "http" for KMS provider, only unix is supported]`,
  ],
] as const;

test.for(refusals)('%s: refused in the words of the original', async ([, text, message]) => {
  await expect(load(text)).rejects.toThrow(new Error(message));
});

test('a resource is encrypted by its own rule, then its group’s, then the rule of all', async () => {
  const rule = (resource: string, name: string) =>
    `- resources: ['${resource}']\n  providers:\n  - aesgcm: {keys: [{name: ${name}, secret: ${key(32)}}]}\n`;
  const { transformerFor } = await load(
    `resources:\n${rule('secrets', 'own')}${rule('*.', 'core')}${rule('*.apps', 'apps')}${rule('*.*', 'all')}`,
  );
  const keyOf = (group: string, resource: string) => {
    const sealed = transformerFor({ group, resource }).toStorage(new Uint8Array(1), new Uint8Array());
    return /^k8s:enc:aesgcm:v1:(\w+):/.exec(Buffer.from(sealed).toString('latin1'))?.[1];
  };

  expect([keyOf('', 'secrets'), keyOf('', 'pods'), keyOf('apps', 'deployments'), keyOf('a.b', 'cs')]).toEqual(
    ['own', 'core', 'apps', 'all'],
  );
});
