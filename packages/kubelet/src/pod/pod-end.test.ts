import { expect, test } from 'vitest';
import { OnePod, annotated, pod } from '../../test/one-pod.ts';

const evicted = { reason: 'Evicted', message: 'Too little memory. ', graceMs: 1_000, isDisruption: true };

test('a pod that the node ends fails with the reason given, as a disruption, once its containers have stopped', async () => {
  const one = new OnePod(pod({}, annotated({ 'stop-delay': '5s' })));
  await one.pass(5_000);
  expect(one.status?.phase).toBe('Running');
  const end = one.worker.end(evicted);
  expect(one.status?.phase).toBe('Running');
  expect(one.condition('DisruptionTarget')).toBeUndefined();
  await one.pass(30_000);
  await end;
  expect(one.status).toMatchObject({ phase: 'Failed', reason: 'Evicted', message: 'Too little memory. ' });
  expect(one.status?.conditions).toContainEqual(
    expect.objectContaining({
      type: 'DisruptionTarget',
      status: 'True',
      reason: 'TerminationByKubelet',
      message: 'Too little memory. ',
      observedGeneration: 1,
    }),
  );
});

test('its containers get no longer than the node gives them, although they ask for more', async () => {
  const one = new OnePod(pod({ terminationGracePeriodSeconds: 600 }, annotated({ 'stop-delay': '500s' })));
  await one.pass(5_000);
  const end = one.worker.end({ ...evicted, graceMs: 2_000 });
  await one.pass(2_100);
  await end;
  expect(one.container().state?.terminated?.exitCode).toBe(137);
});

test('without a disruption there is no condition; containers that ended successfully may make the pod succeed', async () => {
  const one = new OnePod(pod({ restartPolicy: 'Never' }, annotated({ 'stop-delay': '100ms' })));
  await one.pass(5_000);
  const end = one.worker.end({ ...evicted, isDisruption: false, maySucceed: true });
  await one.pass(30_000);
  await end;
  expect(one.status?.conditions?.some(({ type }) => type === 'DisruptionTarget')).toBe(false);
  expect(one.status).toMatchObject({ phase: 'Succeeded', reason: 'Evicted' });
});

test('until its containers have ended, a pod that is to go is as ready as its probe says, and nothing else is asked of it', async () => {
  const asked = { httpGet: { port: 80 }, periodSeconds: 1, failureThreshold: 1 };
  const containers = [{ name: 'c', image: 'i', readinessProbe: asked, livenessProbe: asked }];
  const slow = annotated({ 'stop-delay': '20s' });
  const one = new OnePod(pod({ terminationGracePeriodSeconds: 30, containers }, slow));
  await one.pass(2_000);
  one.delete();
  await one.pass(2_000);
  expect(one.condition('Ready')).toBe('True');

  const failing = { ...slow, ...annotated({ 'probe.readiness': 'fail', 'probe.liveness': 'fail' }) };
  one.change((before) => ({ ...before, metadata: { ...before.metadata, ...failing } }));
  await one.pass(2_000);
  expect(one.condition('Ready')).toBe('False');
  expect(one.status?.phase).toBe('Running');
  expect(one.events.filter((event) => event.includes('Liveness'))).toEqual([]);

  await one.pass(60_000);
  expect(one.removed).toBe(true);
});
