import type { KubeObject } from '@coxswain/apimachinery';
import { expect, test } from 'vitest';
import { OwnerGraph, type GraphListener } from './graph.ts';

const kind = { apiVersion: 'v1', kind: 'ConfigMap' };

const object = (name: string, owner?: string, more: object = {}, namespace = 'default'): KubeObject =>
  ({
    ...kind,
    metadata: {
      name,
      namespace,
      uid: name,
      ...(owner === undefined ? {} : { ownerReferences: [{ ...kind, name: owner, uid: owner }] }),
      ...more,
    },
  }) as KubeObject;

function graphWithLog(): { graph: OwnerGraph; examined: string[]; invalid: string[]; orphaned: string[] } {
  const log = { examined: [] as string[], invalid: [] as string[], orphaned: [] as string[] };
  const listener: GraphListener = {
    examine: ({ identity }) => void log.examined.push(identity.name),
    orphan: ({ identity }) => void log.orphaned.push(identity.name),
    invalidNamespace: ({ identity }) => void log.invalid.push(identity.name),
  };
  return { graph: new OwnerGraph(listener), ...log };
}

test('when an owner goes, its dependents are looked at', () => {
  const { graph, examined } = graphWithLog();
  graph.upsert(object('owner'), kind);
  graph.upsert(object('child', 'owner'), kind);
  examined.length = 0;
  graph.remove('owner');
  expect(examined).toContain('child');
});

test('an owner that has not been observed is looked up', () => {
  const { graph, examined } = graphWithLog();
  graph.upsert(object('child', 'unseen'), kind);
  expect(examined).toContain('unseen');
});

test('an owner in another namespace is reported', () => {
  const { graph, invalid } = graphWithLog();
  graph.upsert(object('owner', undefined, {}, 'elsewhere'), kind);
  graph.upsert(object('child', 'owner'), kind);
  expect(invalid).toContain('child');
});

test('an object that goes and leaves its dependents cuts them off', () => {
  const { graph, orphaned } = graphWithLog();
  const before = object('owner', undefined, { finalizers: ['orphan'] });
  graph.upsert(before, kind);
  graph.upsert(
    { ...before, metadata: { ...before.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } },
    kind,
    before,
  );
  expect(orphaned).toEqual(['owner']);
});

test('replacing many owners reads each of them a few times', () => {
  const count = 500;
  let reads = 0;
  const owners = (from: number) =>
    Array.from({ length: count }, (_, at) => ({
      ...kind,
      name: `owner-${from + at}`,
      blockOwnerDeletion: true,
      get uid() {
        reads++;
        return `owner-${from + at}`;
      },
    }));
  const { graph } = graphWithLog();
  const before = object('child', undefined, { ownerReferences: owners(0) });
  graph.upsert(before, kind);
  graph.upsert(object('child', undefined, { ownerReferences: owners(count) }), kind, before);
  expect(reads).toBeGreaterThan(0);
  expect(reads).toBeLessThan(count * 20);
});
