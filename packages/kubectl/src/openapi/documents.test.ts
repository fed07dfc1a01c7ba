import { expect, test } from 'vitest';
import type { TransportRequest, TransportResponse } from '@coxswain/client';
import { runKubectl } from '../run.ts';
import { FakeServer } from '../testing/fake-server.ts';
import { recordedIo } from '../testing/recorded-io.ts';

const configMapSchema = {
  'x-kubernetes-group-version-kind': [{ group: '', version: 'v1', kind: 'ConfigMap' }],
  properties: { data: { additionalProperties: {} } },
};

const documents: Readonly<Record<string, unknown>> = {
  '/openapi/v3?timeout=32s': { paths: { 'api/v1': { serverRelativeURL: '/openapi/v3/api/v1?hash=1' } } },
  '/openapi/v3/api/v1?hash=1&timeout=32s': { components: { schemas: { ConfigMap: configMapSchema } } },
};

class DescribedServer extends FakeServer {
  override async send(request: TransportRequest): Promise<TransportResponse> {
    const answer = await super.send(request);
    const document = documents[request.path];
    if (document === undefined) return answer;
    const bytes = async () => new TextEncoder().encode(JSON.stringify(document));
    return { ...answer, status: 200, bytes };
  }
}

test('the description of a kind is asked for once, however many objects are applied', async () => {
  const server = new DescribedServer();
  for (const name of ['one', 'two', 'three'])
    server.stored.set(name, { metadata: { name, namespace: 'default' }, data: {} });
  const items = ['one', 'two', 'three'].map((name) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name },
    data: { colour: 'blue' },
  }));
  const manifest = JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
  const io = recordedIo({ transport: server, stdin: async () => manifest });
  await runKubectl(['apply', '-f', '-'], io);
  const count = (start: string) => server.requests.filter((line) => line.startsWith(start)).length;
  expect(count('PATCH ')).toBe(3);
  expect(count('GET /openapi/v3')).toBe(2);
});
