/** The state that a server finds in its store after a restart. */
import { systemClock } from '@coxswain/apimachinery';
import { MemoryStorage } from '@coxswain/storage';
import { expect, test } from 'vitest';
import { assembleKubeApiServer } from '../src/assemble.ts';

const admin = { name: 'admin', groups: ['system:masters'] };

async function started(storage: MemoryStorage) {
  const server = await assembleKubeApiServer({ storage, authorizationModes: ['RBAC'] });
  await server.start();
  return server;
}

test('a restart writes nothing that is there already', async () => {
  const storage = new MemoryStorage({ clock: systemClock });
  await started(storage);
  const before = storage.currentRevision;
  const again = await started(storage);
  expect(storage.currentRevision).toBe(before);
  await again.stop();
});

test('a restart restores what was removed, and keeps what was added', async () => {
  const storage = new MemoryStorage({ clock: systemClock });
  const first = (await started(storage)).inProcess(admin);
  const role = '/apis/rbac.authorization.k8s.io/v1/clusterroles/view';
  await first.send({ method: 'DELETE', path: role, headers: {} });
  const again = await started(storage);
  const answer = await again.inProcess(admin).send({ method: 'GET', path: role, headers: {} });
  expect(answer.status).toBe(200);
  await again.stop();
});

test('custom resources are served again', async () => {
  const storage = new MemoryStorage({ clock: systemClock });
  const transport = (await started(storage)).inProcess(admin);
  const body = (object: object) => new TextEncoder().encode(JSON.stringify(object));
  const headers = { 'content-type': 'application/json' };
  await transport.send({
    method: 'POST',
    path: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
    headers,
    body: body({
      metadata: { name: 'boats.sea.example' },
      spec: {
        group: 'sea.example',
        scope: 'Cluster',
        names: { plural: 'boats', kind: 'Boat' },
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
          },
        ],
      },
    }),
  });
  const boats = '/apis/sea.example/v1/boats';
  const boat = { apiVersion: 'sea.example/v1', kind: 'Boat', metadata: { name: 'b' } };
  await expect
    .poll(
      async () => (await transport.send({ method: 'POST', path: boats, headers, body: body(boat) })).status,
    )
    .toBe(201);
  const again = await started(storage);
  const answer = await again.inProcess(admin).send({ method: 'GET', path: `${boats}/b`, headers: {} });
  expect(answer.status).toBe(200);
  await again.stop();
});
