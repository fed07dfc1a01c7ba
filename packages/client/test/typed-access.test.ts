/** `client.of`: built-in and custom kinds by their description, with the types of their objects. */
import { Deployment } from '@coxswain/api/apps/v1/deployment.ts';
import { ConfigMap } from '@coxswain/api/core/v1/config-map.ts';
import { groupVersionDirectories, kindsOf } from '@coxswain/api';
import { customKind, pluralOf } from '@coxswain/client';
import { createCluster, type TestCluster } from 'coxswain/testing';
import { afterAll, beforeAll, expect, expectTypeOf, test } from 'vitest';
import { Widget } from './widget.fixture.ts';

let cluster: TestCluster;
const fieldManager = 'test';

beforeAll(async () => {
  cluster = await createCluster({ controllers: false, nodes: 0 });
  await cluster.client.apply(Widget.definition, { fieldManager });
  await cluster.idle();
});
afterAll(() => cluster.stop());

test('a built-in kind is reached by its description, and its objects have its type', async () => {
  const deployments = cluster.client.of(Deployment).namespace('default');
  const created = await deployments.create({
    metadata: { name: 'web' },
    spec: {
      selector: { matchLabels: { app: 'web' } },
      template: {
        metadata: { labels: { app: 'web' } },
        spec: { containers: [{ name: 'web', image: 'nginx' }] },
      },
    },
  });

  expectTypeOf(created.spec.replicas).toExtend<number | null | undefined>();
  expect(created.spec.replicas).toBe(1);
  // @ts-expect-error there is no such member
  expect(created.spec.replicaCount).toBeUndefined();
});

test('the type of a custom kind is that of its schema', () => {
  expectTypeOf<Widget['spec']['size']>().toEqualTypeOf<number>();
  expectTypeOf<Widget['spec']['color']>().toEqualTypeOf<'red' | 'blue' | undefined>();
  expectTypeOf<Widget['spec']['mode']>().toEqualTypeOf<string>();
  expectTypeOf<Widget['spec']['port']>().toEqualTypeOf<number | string | undefined>();
  expectTypeOf<Widget['spec']['parts']>().toEqualTypeOf<{ name: string }[] | undefined>();
  expectTypeOf<Widget['spec']['labels']>().toEqualTypeOf<Record<string, string> | undefined>();
  expectTypeOf<Widget['spec']['until']>().toEqualTypeOf<string | null | undefined>();
  expectTypeOf<NonNullable<Widget['status']>['ready']>().toEqualTypeOf<boolean | undefined>();
  // @ts-expect-error a text is no size
  const wrong: Widget['spec'] = { size: 'large', mode: 'fast' };
  expect(wrong).toBeDefined();
});

test('objects of a custom kind are written and read with their type', async () => {
  const widgets = cluster.client.of(Widget).namespace('default');
  await widgets.create({ metadata: { name: 'a' }, spec: { size: 3, color: 'red' } });
  const read = await widgets.get('a');

  expect(read.spec).toEqual({ size: 3, color: 'red', mode: 'fast' });
});

test('another version of a custom kind is chosen by its name, and one that is not there is refused', async () => {
  const alpha = customKind(Widget.definition, 'v1alpha1');
  const read = await cluster.client.of(alpha).namespace('default').list();

  expect(read.apiVersion).toBe('example.com/v1alpha1');
  // @ts-expect-error there is no such version
  expect(() => customKind(Widget.definition, 'v9')).toThrow('widgets.example.com has no version v9');
});

test('a kind that nothing describes is reached by its name', async () => {
  const maps = cluster.client
    .of<ConfigMap>({ group: '', version: 'v1', kind: 'ConfigMap' })
    .namespace('default');
  await maps.create({ metadata: { name: 'named' }, data: { a: 'b' } });

  expect((await maps.get('named')).data).toEqual({ a: 'b' });
});

test('every built-in kind has the plural that its name gives', () => {
  const others = groupVersionDirectories
    .flatMap((directory) => kindsOf(directory))
    .filter(({ kind, names }) => names !== undefined && pluralOf(kind) !== names.plural);
  expect(others.map(({ apiVersion, kind }) => `${apiVersion} ${kind}`)).toEqual([]);
});

test('apply accepts any object, owns its fields, and releases those that are no longer in it', async () => {
  const map = (data: Record<string, string>) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'applied', namespace: 'default' },
    data,
  });
  await cluster.client.apply(map({ a: '1', b: '2' }), { fieldManager });
  const after = await cluster.client.apply(map({ a: '3' }), { fieldManager });

  expect(after.data).toEqual({ a: '3' });
  const others = cluster.client.apply(map({ a: '4' }), { fieldManager: 'somebody else' });
  await expect(others).rejects.toMatchObject({ code: 409 });
  const forced = await cluster.client.apply(map({ a: '4' }), { fieldManager: 'somebody else', force: true });
  expect(forced.data).toEqual({ a: '4' });
});

test('apply of a kind that the server does not have names it', async () => {
  const unknown = { apiVersion: 'example.com/v1', kind: 'Gadget', metadata: { name: 'x' } };
  await expect(cluster.client.apply(unknown, { fieldManager })).rejects.toThrow(
    'no matches for kind "Gadget" in version "example.com/v1"',
  );
});

test('a kind that was defined after discovery is found', async () => {
  const { client } = cluster;
  await client.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'first' } }, { fieldManager });
  await client.apply(gadgets, { fieldManager });
  await cluster.idle();
  const gadget = { apiVersion: 'late.example.com/v1', kind: 'Gadget', metadata: { name: 'x' } };

  expect((await client.apply(gadget, { fieldManager })).metadata.namespace).toBeUndefined();
});

const gadgets = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'gadgets.late.example.com' },
  spec: {
    group: 'late.example.com',
    scope: 'Cluster',
    names: { plural: 'gadgets', kind: 'Gadget' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
};
