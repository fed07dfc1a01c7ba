import { systemClock } from '@coxswain/apimachinery';
import { anonymous } from '@coxswain/apiserver/authentication/anonymous.ts';
import { alwaysAllow } from '@coxswain/apiserver/authorization/fixed.ts';
import type { SecureServer } from '@coxswain/apiserver/http/secure-serving.ts';
import { selfSigned } from '@coxswain/apiserver/testing/self-signed.ts';
import { MemoryStorage } from '@coxswain/storage';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { assembleKubeApiServer, type AssembledApiServer } from '../../src/assemble.ts';
import { startSampleApiServer } from './sample-api-server.ts';

let sample: SecureServer;
let cluster: AssembledApiServer;

const colors = '/apis/paint.example.com/v1/namespaces/default/colors';

beforeAll(async () => {
  const authenticator = anonymous({ enabled: true });
  sample = await startSampleApiServer({ ...(await selfSigned()), authenticator, authorizer: alwaysAllow });
  cluster = await assembleKubeApiServer({ storage: new MemoryStorage(), clock: systemClock });
  await cluster.start();
  const { port } = sample.address;
  await send('POST', '/api/v1/namespaces/default/services', {
    metadata: { name: 'paint' },
    spec: { type: 'ExternalName', externalName: 'localhost', ports: [{ port }] },
  });
  await send('POST', '/apis/apiregistration.k8s.io/v1/apiservices', {
    metadata: { name: 'v1.paint.example.com' },
    spec: {
      group: 'paint.example.com',
      version: 'v1',
      groupPriorityMinimum: 100,
      versionPriority: 10,
      insecureSkipTLSVerify: true,
      service: { namespace: 'default', name: 'paint', port },
    },
  });
  await vi.waitFor(async () => expect(await send('GET', colors)).toMatchObject({ status: 200 }), 10_000);
});

afterAll(async () => {
  await cluster.stop();
  await sample.close(0);
});

async function send(method: string, path: string, object?: object) {
  const transport = cluster.inProcess({ name: 'jane', groups: ['system:masters'] }, { structured: false });
  const response = await transport.send({
    method,
    path,
    headers: { 'content-type': 'application/json' },
    ...(object && { body: new TextEncoder().encode(JSON.stringify(object)) }),
  });
  const text = new TextDecoder().decode(await response.bytes());
  return { status: response.status, body: text.startsWith('{') ? JSON.parse(text) : text };
}

const color = (name: string, hex: string) => ({
  apiVersion: 'paint.example.com/v1',
  kind: 'Color',
  metadata: { name },
  spec: { hex },
});

test('a type of its own is stored with its defaults, and read through the cluster', async () => {
  expect(await send('POST', colors, color('sky', '#87ceeb'))).toMatchObject({ status: 201 });
  expect((await send('GET', `${colors}/sky`)).body.spec).toEqual({ hex: '#87ceeb', finish: 'matt' });
});

test("its validation errors look like every server's", async () => {
  const { status, body } = await send('POST', colors, color('odd', 'blue'));
  expect(status).toBe(422);
  expect(body.message).toBe(
    'Color.paint.example.com "odd" is invalid: spec.hex: Invalid value: "blue": must be # and six hexadecimal digits',
  );
});

test('its admission plugin refuses what its other resource forbids', async () => {
  await send('POST', '/apis/paint.example.com/v1/bannedcolors', {
    apiVersion: 'paint.example.com/v1',
    kind: 'BannedColor',
    metadata: { name: '00ff00' },
  });
  const { status, body } = await send('POST', colors, color('lime', '#00ff00'));
  expect(status).toBe(403);
  expect(body.message).toContain('the color #00ff00 is banned');
});

test("the cluster's discovery includes its resources", async () => {
  const { body } = await send('GET', '/apis/paint.example.com/v1');
  expect(body.resources).toMatchObject([{ name: 'bannedcolors' }, { name: 'colors', shortNames: ['co'] }]);
});
