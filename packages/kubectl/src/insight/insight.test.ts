import type { KubeObject } from '@coxswain/apimachinery';
import { expect, test } from 'vitest';
import { blameText } from '../commands/blame.ts';
import { ownershipTree, treeRows } from './ownership.ts';

const nowMs = Date.parse('2026-01-01T01:00:00Z');

const pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    name: 'p',
    uid: 'u',
    managedFields: [
      {
        manager: 'kubectl',
        operation: 'Apply',
        time: '2026-01-01T00:00:00Z',
        fieldsV1: {
          'f:metadata': { 'f:labels': { 'f:app': {} }, 'f:finalizers': { 'v:"a/b"': {} } },
          'f:spec': {
            'f:containers': {
              'k:{"name":"c"}': { '.': {}, 'f:name': {}, 'f:command': {} },
            },
          },
        },
      },
      {
        manager: 'kubelet',
        operation: 'Update',
        subresource: 'status',
        time: '2026-01-01T00:59:00Z',
        fieldsV1: { 'f:status': { 'f:phase': {} }, 'f:metadata': { 'f:labels': { 'f:app': {} } } },
      },
    ],
    finalizers: ['a/b', 'c/d'],
    labels: { app: 'web' },
  },
  spec: { containers: [{ name: 'c', command: ['a', 'b'] }] },
  status: { phase: 'Running' },
} as unknown as KubeObject;

test('each line has its last writer; fields written as a whole count for their contents', () => {
  const lines = blameText(pod, nowMs).split('\n');
  const blamed = (text: string) =>
    lines
      .find((line) => line.endsWith(`| ${text}`))
      ?.split(' |')[0]
      ?.trim();
  expect(blamed('  - a/b')).toBe('kubectl (Apply)             60m');
  expect(blamed('  - c/d')).toBe('');
  expect(blamed('    app: web')).toBe('kubelet (Update status) +1  60s');
  expect(blamed('    - a')).toBe('kubectl (Apply)             60m');
  expect(blamed('    name: c')).toBe('kubectl (Apply)             60m');
  expect(blamed('  phase: Running')).toBe('kubelet (Update status)     60s');
  expect(blamed('  name: p')).toBe('');
});

const owned = (kind: string, name: string, ...owners: readonly string[]): KubeObject =>
  ({
    apiVersion: 'v1',
    kind,
    metadata: { name, uid: name, ownerReferences: owners.map((uid) => ({ uid })) },
  }) as unknown as KubeObject;

test('a tree shows what an object owns, level by level, and ends despite cycles', () => {
  const root = owned('Deployment', 'web', 'circle');
  const all = [
    root,
    owned('ReplicaSet', 'b', 'web'),
    owned('ReplicaSet', 'a', 'web'),
    owned('Pod', 'a1', 'a'),
    owned('Pod', 'a2', 'a'),
    owned('Pod', 'b1', 'b'),
    owned('ConfigMap', 'circle', 'b1'),
    owned('Pod', 'other', 'else'),
  ];
  expect(treeRows(ownershipTree(root, all)).map(({ branch }) => branch)).toEqual([
    'Deployment/web',
    '├─ReplicaSet/a',
    '│ ├─Pod/a1',
    '│ └─Pod/a2',
    '└─ReplicaSet/b',
    '  └─Pod/b1',
    '    └─ConfigMap/circle',
  ]);
});
