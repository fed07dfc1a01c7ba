import { expect, test } from 'vitest';
import type { TransportRequest } from '@coxswain/client';
import { createCluster } from './create-cluster.ts';

type Read = Partial<TransportRequest> & Pick<TransportRequest, 'path'>;

const tables = 'application/json;as=Table;v=v1;g=meta.k8s.io';
const deployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web' },
  spec: {
    replicas: 3,
    selector: { matchLabels: { app: 'web' } },
    template: {
      metadata: { labels: { app: 'web' } },
      spec: { containers: [{ name: 'nginx', image: 'nginx' }] },
    },
  },
};
const service = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'web' },
  spec: { selector: { app: 'web' }, ports: [{ port: 80 }] },
};

const steady = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'steady' },
  spec: deployment.spec.template.spec,
};

/** By name: a request that changes nothing. */
const reads = {
  'a list': { path: '/api/v1/pods' },
  'a watch': { path: '/api/v1/pods?watch=true' },
  discovery: { path: '/apis' },
  'a table': { path: '/apis/apps/v1/deployments', headers: { accept: tables } },
  'a log': { path: '/api/v1/namespaces/default/pods/steady/log' },
  'a request through a service': { path: '/api/v1/namespaces/default/services/web/proxy/' },
  'a request of an earlier release': { path: '/apis/extensions/v1beta1/ingresses' },
} satisfies Record<string, Read>;

/** Returns what a cluster stores within ten minutes while the request arrives at the start and every minute. */
async function historyBeside(read?: Read): Promise<readonly string[]> {
  await using cluster = await createCluster({ nodes: 3, seed: 5 });
  const send = async () => {
    if (read === undefined) return;
    const response = await cluster.transport.send({ method: 'GET', headers: {}, ...read });
    // A watch stays open.
    if (!read.path.includes('watch')) await response.bytes();
  };
  await send();
  await cluster.apply([deployment, service, steady]);
  for (let minute = 0; minute < 10; minute++) {
    await cluster.clock.advance('1m');
    await send();
  }
  return cluster.history.lines();
}

test.for(Object.entries(reads))('%s leaves the history as it is', async ([, read]) => {
  const [alone, beside] = await Promise.all([historyBeside(), historyBeside(read)]);
  expect(beside).toEqual(alone);
});
