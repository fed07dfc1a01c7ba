import { ManualClock } from '@coxswain/apimachinery';
import { expect, test } from 'vitest';
import { leaderHealth, toleratedAfterLeaseMs } from './leader-health.ts';

const leaseDurationMs = 15_000;

async function afterLease(leads: boolean, beyondMs: number) {
  const clock = new ManualClock();
  const { check, onLeadership, onRenewed } = leaderHealth({ name: 'kube-scheduler', leaseDurationMs }, clock);
  onRenewed();
  onLeadership(leads);
  await clock.advance(leaseDurationMs + beyondMs);
  return check.check();
}

test('a leader that has not renewed its lease is told to be ill, twenty seconds after the lease is over', async () => {
  expect(await afterLease(true, toleratedAfterLeaseMs)).toBeUndefined();
  expect(await afterLease(true, toleratedAfterLeaseMs + 1)).toBe(
    'failed election to renew leadership on lease kube-scheduler',
  );
});

test('an instance that waits for leadership is well', async () => {
  expect(await afterLease(false, 3_600_000)).toBeUndefined();
});
