import { expect, test } from 'vitest';
import { OnePod, pod } from '../../test/one-pod.ts';

const added = (name: string, command?: readonly string[]) => ({
  name,
  image: 'busybox',
  ...(command === undefined ? {} : { command }),
});

function addContainers(one: OnePod, ...ephemeralContainers: object[]): void {
  one.change(
    (before) =>
      ({
        ...before,
        metadata: { ...before.metadata, generation: 2 },
        spec: { ...before.spec, ephemeralContainers },
      }) as typeof before,
  );
}

test("an ephemeral container starts beside running ones, without affecting the pod's readiness", async () => {
  const one = new OnePod(pod());
  await one.pass();
  addContainers(one, added('debugger'));
  await one.pass();

  expect(one.status?.ephemeralContainerStatuses).toMatchObject([
    { name: 'debugger', ready: false, restartCount: 0, image: 'busybox', state: { running: {} } },
  ]);
  expect(one.status?.ephemeralContainerStatuses?.[0]).not.toHaveProperty('started');
  expect(one.status?.containerStatuses).toHaveLength(1);
  expect(one.condition('Ready')).toBe('True');
  expect(one.status?.observedGeneration).toBe(2);
});

test('an ephemeral container that ends is not started again, whatever the restart policy of the pod', async () => {
  const one = new OnePod(pod());
  await one.pass();
  addContainers(one, added('debugger', ['false']));
  await one.pass(60_000);

  expect(one.status?.ephemeralContainerStatuses?.[0]).toMatchObject({
    restartCount: 0,
    state: { terminated: { exitCode: 1, reason: 'Error' } },
  });
  expect(one.status?.phase).toBe('Running');
});

test('an ephemeral container is started while init containers still work', async () => {
  const one = new OnePod(pod({ initContainers: [{ name: 'i', image: 'b', command: ['sleep', '60'] }] }));
  await one.pass(1_000);
  addContainers(one, added('debugger'));
  await one.pass();

  expect(one.status?.phase).toBe('Pending');
  expect(one.status?.ephemeralContainerStatuses?.[0]?.state).toHaveProperty('running');
});

test('a pod ends with its own containers, and ephemeral ones are stopped', async () => {
  const one = new OnePod(
    pod({ restartPolicy: 'Never', containers: [{ name: 'c', image: 'b', command: ['sleep', '10'] }] }),
  );
  await one.pass(1_000);
  addContainers(one, added('debugger'));
  await one.pass(10_000);

  expect(one.status?.phase).toBe('Succeeded');
  expect(one.status?.ephemeralContainerStatuses?.[0]?.state).toHaveProperty('terminated');
});

test('the status of an ephemeral container outlives the kubelet', async () => {
  const one = new OnePod(pod());
  await one.pass();
  addContainers(one, added('debugger', ['false']));
  await one.pass();
  const later = new OnePod({ ...one.worker.pod, status: one.status! });
  await later.pass();

  expect(later.status?.ephemeralContainerStatuses).toEqual(one.status?.ephemeralContainerStatuses);
});
