import { ManualClock } from '@coxswain/apimachinery';
import type { PodStatus } from '@coxswain/api/core/v1/pod-status.ts';
import { createClient } from '@coxswain/client';
import { expect, test } from 'vitest';
import { pod } from '../../test/one-pod.ts';
import { failure, PodServer } from '../../test/pod-server.ts';
import { StatusWriter } from './status-writer.ts';

function makeWriter() {
  const clock = new ManualClock();
  const server = new PodServer();
  const errors: unknown[] = [];
  const pods = createClient({ transport: server, clock }).resource('v1', 'pods') as never;
  const writer = new StatusWriter({ pods, clock, onError: (error) => errors.push(error) });
  return { clock, server, writer, errors };
}

const status = (phase: string, more: object = {}) => ({ ...pod().status, phase, ...more }) as PodStatus;

test('statuses reported together result in one patch with the changes', async () => {
  const { clock, server, writer } = makeWriter();
  writer.report(pod(), status('Pending', { hostIP: '1.1.1.1' }));
  writer.report(pod(), status('Running', { hostIP: '1.1.1.1' }));
  await clock.advance(1);

  expect(server.requests).toEqual([
    {
      line: 'PATCH /api/v1/namespaces/default/pods/web/status',
      body: { metadata: { uid: 'u1' }, status: { phase: 'Running', hostIP: '1.1.1.1' } },
    },
  ]);
});

test('a status that the API has already is not written', async () => {
  const { clock, server, writer } = makeWriter();
  writer.report(pod(), status('Pending'));
  await clock.advance(1);

  expect(server.requests).toEqual([]);
});

test('while a write is under way the newest status waits, and the ones between are never written', async () => {
  const { clock, server, writer } = makeWriter();
  let open = () => {};
  server.gate = new Promise((resolve) => (open = resolve));
  writer.report(pod(), status('Running'));
  await clock.advance(1);
  writer.report(pod(), status('Running', { reason: 'between' }));
  writer.report(pod(), status('Failed'));
  await clock.advance(1);
  expect(server.requests).toHaveLength(1);

  open();
  await clock.advance(1);
  expect(server.requests.map(({ body }) => (body as { status: PodStatus }).status.phase)).toEqual([
    'Running',
    'Failed',
  ]);
});

test('a pod is deleted after its last status, without grace, and only this very pod', async () => {
  const { clock, server, writer } = makeWriter();
  writer.report(pod(), status('Succeeded'));
  writer.remove(pod());
  await clock.advance(1);

  expect(server.requests.map(({ line }) => line.split(' ')[0])).toEqual(['PATCH', 'DELETE']);
  expect(server.requests[1]?.body).toMatchObject({ gracePeriodSeconds: 0, preconditions: { uid: 'u1' } });

  writer.report(pod(), status('Succeeded'));
  await clock.advance(1);
  expect(server.requests.filter(({ line }) => line.startsWith('DELETE'))).toHaveLength(1);
});

test('a failed write is repeated, one for a pod that is gone is not', async () => {
  const { clock, server, writer, errors } = makeWriter();
  server.answers.push(failure(500, 'InternalError'));
  writer.report(pod(), status('Running'));
  await clock.advance(2_000);
  expect(server.requests).toHaveLength(2);
  expect(errors).toHaveLength(1);

  server.answers.push(failure(404, 'NotFound'));
  writer.report(pod(), status('Failed'));
  await clock.advance(10_000);
  expect(server.requests).toHaveLength(3);
});

test('a repeatedly refused write is retried with growing delays, and reported once', async () => {
  const { clock, server, writer, errors } = makeWriter();
  for (let count = 0; count < 100; count++) server.answers.push(failure(422, 'Invalid'));
  writer.report(pod(), status('Running'));
  for (let minute = 0; minute < 60; minute++) {
    await clock.advance(60_000);
    writer.report(pod(), status('Running', { reason: `minute ${minute % 2}` }));
  }

  expect(errors).toHaveLength(1);
  expect(server.requests.length).toBeLessThan(100);
});

test('an address that is another one takes the place of the one before', async () => {
  const { clock, server, writer } = makeWriter();
  const stored = { ...pod(), status: status('Pending', { podIPs: [{ ip: '10.0.0.2' }] }) };
  writer.report(stored, status('Pending', { podIPs: [{ ip: '10.0.0.3' }] }));
  await clock.advance(1);

  expect((server.requests[0]!.body as { status: unknown }).status).toEqual({
    podIPs: [{ ip: '10.0.0.3' }, { $patch: 'replace' }],
  });
});

test('only conditions of the kubelet that differ are sent, with the order of all', async () => {
  const { clock, server, writer } = makeWriter();
  const ready = (value: string) => [
    { type: 'example.com/gate', status: 'True' },
    { type: 'Ready', status: value },
    { type: 'PodScheduled', status: 'True' },
  ];
  const stored = { ...pod(), status: status('Running', { conditions: ready('False') }) };
  writer.report(stored, status('Running', { conditions: ready('True') }));
  await clock.advance(1);

  expect((server.requests[0]!.body as { status: unknown }).status).toEqual({
    '$setElementOrder/conditions': [
      { type: 'example.com/gate' },
      { type: 'Ready' },
      { type: 'PodScheduled' },
    ],
    conditions: [{ type: 'Ready', status: 'True', reason: null, message: null }],
  });
});
