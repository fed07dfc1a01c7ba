/** What is sent over the wire with protobuf. verbs.test.ts checks that every verb works with it. */
import { Deployment } from '@coxswain/api/apps/v1/deployment.ts';
import { ConfigMap } from '@coxswain/api/core/v1/config-map.ts';
import { readYaml } from '@coxswain/apimachinery';
import {
  createClient,
  resolveKubeconfig,
  type KubeClient,
  type Kubeconfig,
  type Transport,
} from '@coxswain/client';
import { transportOf } from '@coxswain/client/node.ts';
import { protobufBodies } from '@coxswain/client/protobuf.ts';
import { createCluster, type TestCluster } from 'coxswain/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';

const protobuf = 'application/vnd.kubernetes.protobuf';

let cluster: TestCluster;
let client: KubeClient;
/** The content types of request and response bodies. */
let passed: string[] = [];

beforeAll(async () => {
  cluster = await createCluster({ clock: 'system', controllers: [], nodes: 0 });
  const transport = transportOf(resolveKubeconfig(readYaml(await cluster.kubeconfig()) as Kubeconfig));
  client = createClient({ transport: noting(transport), bodies: protobufBodies });
});
afterAll(async () => {
  await client.close();
  await cluster.stop();
});

const noting = (transport: Transport): Transport => ({
  structured: false,
  address: transport.address,
  close: () => transport.close(),
  async send(request) {
    const response = await transport.send(request);
    const sent = request.headers['content-type'];
    passed.push(`${sent === undefined ? '' : `${sent} → `}${response.headers['content-type']}`);
    return response;
  },
});

function passedSince(): string[] {
  const all = passed;
  passed = [];
  return all;
}

const maps = () => client.of(ConfigMap).namespace('default');

test('writes, reads, lists and refusals of built-in kinds are protobuf both ways', async () => {
  const created = await maps().create({ metadata: { name: 'a' }, data: { colour: 'red' } });
  expect(created).toMatchObject({ apiVersion: 'v1', kind: 'ConfigMap', data: { colour: 'red' } });
  expect(await maps().get('a')).toEqual(created);
  expect((await maps().list()).items.map(({ metadata }) => metadata.name)).toContain('a');
  await expect(maps().create({ metadata: { name: 'a' } })).rejects.toMatchObject({
    code: 409,
    reason: 'AlreadyExists',
  });
  expect(passedSince()).toEqual([
    `${protobuf} → ${protobuf}`,
    protobuf,
    protobuf,
    `${protobuf} → ${protobuf}`,
  ]);
});

test('an object is the same as in JSON, field by field', async () => {
  const container = { name: 'c', image: 'nginx', resources: { limits: { cpu: '1', memory: '64Mi' } } };
  const labels = { app: 'web' };
  await client
    .of(Deployment)
    .namespace('default')
    .create({
      metadata: { name: 'web' },
      spec: {
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [container] } },
        strategy: { rollingUpdate: { maxSurge: '30%', maxUnavailable: 1 } },
      },
    });
  expect(await client.of(Deployment).namespace('default').get('web')).toEqual(
    await cluster.client.of(Deployment).namespace('default').get('web'),
  );
});

test('a watch is protobuf, over every boundary of its chunks', async () => {
  const { metadata } = await maps().list();
  for (const name of ['w1', 'w2', 'w3'])
    await maps().create({ metadata: { name }, data: { long: name.repeat(40_000) } });
  passedSince();
  const seen: string[] = [];
  const { resourceVersion = '' } = metadata;
  for await (const { type, object } of maps().watch({ resourceVersion })) {
    seen.push(`${type} ${object.metadata.name} ${object.data?.['long']?.length}`);
    if (seen.length === 3) break;
  }
  expect(seen).toEqual(['ADDED w1 80000', 'ADDED w2 80000', 'ADDED w3 80000']);
  expect(passedSince()).toEqual([`${protobuf};stream=watch`]);
});

test('patches, and objects with unknown fields, are sent as JSON', async () => {
  passedSince();
  await maps().patch('a', { data: { colour: 'blue' } }, { type: 'merge' });
  const odd = { metadata: { name: 'odd' }, colour: 'red' };
  await expect(maps().create(odd, { fieldValidation: 'Strict' })).rejects.toMatchObject({ code: 400 });
  expect(passedSince()).toEqual([
    `application/merge-patch+json → ${protobuf}`,
    `application/json → ${protobuf}`,
  ]);
});
