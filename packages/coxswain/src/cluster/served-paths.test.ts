import type { KubeObject } from '@coxswain/apimachinery';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startCluster, type Cluster } from './cluster.ts';

let cluster: Cluster;
let nodeName: string;
beforeAll(async () => {
  cluster = await startCluster({ nodes: 1, controllers: [], scheduler: false });
  nodeName = cluster.kubelets.nodes[0]!.name;
});
afterAll(() => cluster.stop());

async function ask(path: string, accept = 'application/json') {
  const answer = await cluster.transport().send({ method: 'GET', path, headers: { accept } });
  return { status: answer.status, text: new TextDecoder().decode(await answer.bytes()) };
}

const proxied = (node: string) => ask(`/api/v1/nodes/${node}/proxy/healthz`);

test('the kubelet of a simulated node answers on its port, named or not', async () => {
  expect(await proxied(nodeName)).toEqual({ status: 200, text: 'ok' });
  expect(await proxied(`${nodeName}:10250`)).toEqual({ status: 200, text: 'ok' });
  expect(await proxied(`https:${nodeName}:10250`)).toEqual({ status: 200, text: 'ok' });
});

test('nothing listens on other ports of a simulated node', async () => {
  const { status, text } = await proxied(`${nodeName}:10255`);
  expect(status).toBe(503);
  expect(text).toMatch(/error trying to reach service: dial tcp .*:10255: connect: connection refused/);
});

test('the table of a scale shows the desired and available replicas', async () => {
  const labels = { app: 'web' };
  const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'web' }] } };
  await cluster
    .client()
    .resource<KubeObject>('apps/v1', 'deployments')
    .namespace('default')
    .create({
      metadata: { name: 'web' },
      spec: { replicas: 2, selector: { matchLabels: labels }, template },
    } as never);
  const { text } = await ask(
    '/apis/apps/v1/namespaces/default/deployments/web/scale',
    'application/json;as=Table;v=v1;g=meta.k8s.io',
  );
  const { columnDefinitions, rows } = JSON.parse(text) as {
    readonly columnDefinitions: readonly { readonly name: string; readonly format: string }[];
    readonly rows: readonly { readonly cells: readonly unknown[] }[];
  };

  expect(columnDefinitions.map(({ name }) => name)).toEqual(['Name', 'Desired', 'Available', 'Age']);
  expect(rows[0]?.cells.slice(0, 3)).toEqual(['web', 2, 0]);
});
