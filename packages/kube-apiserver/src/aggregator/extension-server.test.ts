import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { systemClock } from '@coxswain/apimachinery';
import { selfSigned } from '@coxswain/apiserver/testing/self-signed.ts';
import { MemoryStorage } from '@coxswain/storage';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { assembleKubeApiServer, type AssembledApiServer } from '../assemble.ts';

let backend: Server;
let server: AssembledApiServer;
let port: number;

const documents: Readonly<Record<string, object>> = {
  '/apis/example.com/v1': {
    kind: 'APIResourceList',
    groupVersion: 'example.com/v1',
    resources: [
      { name: 'things', singularName: 'thing', namespaced: true, kind: 'Thing', verbs: ['get'] },
      { name: 'things/status', singularName: '', namespaced: true, kind: 'Thing', verbs: ['get'] },
    ],
  },
  '/openapi/v3': {
    paths: { 'apis/example.com/v1': { serverRelativeURL: '/openapi/v3/apis/example.com/v1?hash=A' } },
  },
  '/openapi/v3/apis/example.com/v1': { openapi: '3.0.0' },
  '/openapi/v2': {
    swagger: '2.0',
    paths: { '/apis/example.com/v1/things': { get: { responses: {} } }, '/else': { get: { responses: {} } } },
  },
};

beforeAll(async () => {
  backend = createServer(await selfSigned(), (request, response) => {
    const [path = ''] = request.url!.split('?');
    if (path.endsWith('/moved')) return response.writeHead(302, { location: '/there' }).end();
    const isThing = path.startsWith('/apis/example.com/v1/');
    const document = isThing ? { url: request.url, headers: request.headers } : documents[path];
    response.writeHead(document === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(document ?? {}));
  });
  await new Promise<void>((resolve) => backend.listen(0, '127.0.0.1', resolve));
  port = (backend.address() as AddressInfo).port;
  server = await assembleKubeApiServer({ storage: new MemoryStorage(), clock: systemClock });
  await server.start();
  await send('POST', '/api/v1/namespaces/default/services', {
    metadata: { name: 'extension' },
    spec: { type: 'ExternalName', externalName: 'localhost', ports: [{ port }] },
  });
});

afterAll(async () => {
  await server.stop();
  backend.closeAllConnections();
  backend.close();
});

const apiServices = '/apis/apiregistration.k8s.io/v1/apiservices';
const apiService = (version: string, service: object) => ({
  metadata: { name: `${version}.example.com` },
  spec: {
    group: 'example.com',
    version,
    groupPriorityMinimum: 100,
    versionPriority: 10,
    insecureSkipTLSVerify: true,
    service: { namespace: 'default', port, ...service },
  },
});

async function send(method: string, path: string, object?: object, headers: Record<string, string> = {}) {
  const transport = server.inProcess({ name: 'jane', groups: ['system:masters'] }, { structured: false });
  const response = await transport.send({
    method,
    path,
    headers: { 'content-type': 'application/json', ...headers },
    ...(object && { body: new TextEncoder().encode(JSON.stringify(object)) }),
  });
  return { status: response.status, text: new TextDecoder().decode(await response.bytes()) };
}

/** Resolves with the condition's reason once there is one. */
async function reasonOf(name: string): Promise<string> {
  const watch = `${apiServices}?watch=true&fieldSelector=metadata.name%3D${name}`;
  const transport = server.inProcess({ name: 'jane', groups: ['system:masters'] });
  const { events } = await transport.send({ method: 'GET', path: watch, headers: {} });
  for await (const batch of events!) {
    for (const { object } of batch) {
      const { status } = object as { status?: { conditions?: readonly { readonly reason: string }[] } };
      const reason = status?.conditions?.[0]?.reason;
      if (reason !== undefined) return reason;
    }
  }
  throw new Error('the watch ended');
}

test('an APIService of a missing service is unavailable, and so is its group version', async () => {
  await send('POST', apiServices, apiService('v2', { name: 'absent' }));

  expect(await reasonOf('v2.example.com')).toBe('ServiceNotFound');
  expect(await send('GET', '/apis/example.com/v2/things')).toEqual({
    status: 503,
    text: 'service unavailable\n',
  });
  await send('DELETE', `${apiServices}/v2.example.com`);
  expect(await send('GET', '/apis/example.com/v2/things')).toMatchObject({ status: 404 });
});

test('an available extension server is in discovery and OpenAPI, and gets its requests', async () => {
  await send('POST', apiServices, apiService('v1', { name: 'extension' }));
  expect(await reasonOf('v1.example.com')).toBe('Passed');

  const answer = await send('GET', '/apis/example.com/v1/things?b=2&a=1', undefined, {
    'x-remote-user': 'root',
  });
  expect(JSON.parse(answer.text)).toMatchObject({
    url: '/apis/example.com/v1/things?a=1&b=2',
    headers: { 'x-remote-user': 'jane', 'x-remote-group': 'system:masters, system:authenticated' },
  });
  expect(await send('GET', '/apis/example.com/v1/moved')).toMatchObject({ status: 502 });
  const groups = await send('GET', '/apis');
  expect(JSON.parse(groups.text).groups.at(-1)).toMatchObject({ name: 'example.com' });
  // Documents are fetched in the background.
  await expect
    .poll(() => send('GET', '/openapi/v3/apis/example.com/v1'))
    .toMatchObject({ text: '{"openapi":"3.0.0"}' });
  const paths = async () => JSON.parse((await send('GET', '/openapi/v2')).text).paths;
  await expect.poll(paths).toHaveProperty(['/apis/example.com/v1/things']);
  expect(await paths()).not.toHaveProperty(['/else']);
});
