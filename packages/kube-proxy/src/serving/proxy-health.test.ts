import { ManualClock, type KubeObject } from '@coxswain/apimachinery';
import { expect, test } from 'vitest';
import { ProxyHealth } from './proxy-health.ts';

const lateMs = 60_000;
const node = (spec: object = {}, metadata: object = {}) =>
  ({ metadata: { name: 'node-a', ...metadata }, spec }) as unknown as KubeObject;

function healthOf(found?: KubeObject) {
  const clock = new ManualClock();
  const health = new ProxyHealth(clock, lateMs, ['IPv4', 'IPv6']);
  health.setNode(found);
  return { clock, health };
}

test('rules that are not written in time make the proxy unhealthy, until they are', async () => {
  const { clock, health } = healthOf(node());
  health.queued();
  await clock.advance(lateMs - 1);
  expect(health.healthz().status).toBe(200);

  health.updated('IPv4');
  await clock.advance(1);
  const { status, body } = health.livez();
  expect(status).toBe(503);
  expect(JSON.parse(body)).toMatchObject({
    healthy: false,
    status: { IPv4: { healthy: true }, IPv6: { healthy: false } },
  });

  health.updated('IPv6');
  expect(health.livez().status).toBe(200);
});

test.each([
  ['that is not known', undefined],
  ['that is about to be deleted', node({ taints: [{ key: 'ToBeDeletedByClusterAutoscaler' }] })],
  ['that is being deleted', node({}, { deletionTimestamp: '2026-01-01T00:00:00Z' })],
])('a node %s gets no new connections, though the proxy is well', (_what, found) => {
  const { health } = healthOf(found);

  expect(health.healthz().status).toBe(503);
  expect(JSON.parse(health.healthz().body)).toMatchObject({ nodeEligible: false, healthy: true });
  expect(health.livez().status).toBe(200);
});
