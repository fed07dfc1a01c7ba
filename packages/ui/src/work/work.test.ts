import { expect, test } from 'vitest';
import { workOn, type Work } from './work.ts';

const work = (id: string, more: Partial<Work>): Work => ({
  id,
  kind: 'request',
  by: 'kube-apiserver',
  name: '',
  startMs: 0,
  durationMs: 1,
  failure: undefined,
  wrote: [],
  because: [],
  partOf: [],
  ...more,
});

const path = '/apis/apps/v1/namespaces/shop/deployments';
const target = { group: 'apps', version: 'v1', resource: 'deployments', namespace: 'shop', name: 'web' };

test('the work on an object is what wrote it, and what reconciled it', () => {
  const all = [
    work('create', {
      name: `POST ${path}`,
      wrote: [{ revision: 3, key: '/registry/deployments/shop/web' }],
    }),
    work('read', { name: `GET ${path}/web` }),
    work('another', {
      name: `PATCH ${path}/web-2`,
      wrote: [{ revision: 4, key: '/registry/deployments/shop/web-2' }],
    }),
    work('refused', { name: `PUT ${path}/web/status?fieldManager=x`, failure: '409', partOf: ['second'] }),
    work('first', {
      kind: 'reconcile',
      by: 'deployment-controller',
      name: 'shop/web',
      because: ['deployments/shop/web'],
    }),
    work('second', {
      kind: 'reconcile',
      by: 'deployment-controller',
      name: 'shop/web',
      because: ['replicasets/shop/web-1'],
    }),
    work('namesake', {
      kind: 'reconcile',
      by: 'service-controller',
      name: 'shop/web',
      because: ['services/shop/web'],
    }),
  ];
  expect(workOn(target, all).map(({ id }) => id)).toEqual(['create', 'refused', 'first', 'second']);
});
