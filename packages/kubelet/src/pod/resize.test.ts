import { expect, test } from 'vitest';
import { OnePod, pod } from '../../test/one-pod.ts';

const container = (cpu: string, more: object = {}) => ({
  name: 'c',
  image: 'b',
  resources: { requests: { cpu } },
  ...more,
});

function resize(one: OnePod, generation: number, cpu: string, more: object = {}): void {
  one.change(
    (before) =>
      ({
        ...before,
        metadata: { ...before.metadata, generation },
        spec: { ...before.spec, containers: [container(cpu, more)] },
      }) as typeof before,
  );
}

test('a container gets more without a restart, and its status says so', async () => {
  const one = new OnePod(pod({ containers: [container('1')] }));
  await one.pass();
  resize(one, 2, '2');
  await one.pass();

  expect(one.container()).toMatchObject({
    restartCount: 0,
    resources: { requests: { cpu: '2' } },
    allocatedResources: { cpu: '2' },
  });
  expect(one.events).toContain(
    'Normal ResizeCompleted: Pod resize completed: {"containers":[{"name":"c","resources":{"requests":{"cpu":"2"}}}],"generation":2}',
  );
});

test('a container whose resize policy requires it is restarted', async () => {
  const policy = { resizePolicy: [{ resourceName: 'cpu', restartPolicy: 'RestartContainer' }] };
  const one = new OnePod(pod({ containers: [container('1', policy)] }));
  await one.pass();
  resize(one, 2, '2', policy);
  await one.pass();

  expect(one.events).toContain('Normal Killing: Container c resize requires restart');
  expect(one.container().restartCount).toBe(1);
});

test('a resize without room on the node waits, and running containers keep what they have', async () => {
  const one = new OnePod(pod({ containers: [container('1')] }));
  await one.pass();
  one.noRoomBecause = 'no room';
  resize(one, 2, '8');
  await one.pass();

  expect(one.status?.conditions?.find(({ type }) => type === 'PodResizePending')).toMatchObject({
    status: 'True',
    reason: 'Deferred',
    message: 'no room',
    observedGeneration: 2,
  });
  expect(one.container()).toMatchObject({ allocatedResources: { cpu: '1' } });
  expect(one.worker.hasPendingResize).toBe(true);

  one.noRoomBecause = undefined;
  one.worker.update(one.worker.pod);
  expect(one.condition('PodResizePending')).toBeUndefined();
  expect(one.container()).toMatchObject({ allocatedResources: { cpu: '8' } });
});
