import { describe, expect, test } from 'vitest';
import type { ResizedContainer, Runtime } from '../runtime.ts';
import { annotated, OnePod, pod } from '../../test/one-pod.ts';

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

test('until a resize is carried out, the status shows what the container has, and that it is under way', async () => {
  const one = new OnePod(pod({ containers: [container('1')] }));
  const runtime: Runtime = one.runtime;
  const carriedOut = Promise.withResolvers<void>();
  runtime.resize = () => carriedOut.promise;
  await one.pass();
  resize(one, 2, '2');
  await one.pass();
  expect(one.container()).toMatchObject({
    resources: { requests: { cpu: '1' } },
    allocatedResources: { cpu: '2' },
  });
  expect(one.condition('PodResizeInProgress')).toBe('True');
  expect(one.events).not.toContainEqual(expect.stringContaining('ResizeCompleted'));

  carriedOut.resolve();
  await one.pass();
  expect(one.container()).toMatchObject({ resources: { requests: { cpu: '2' } } });
  expect(one.condition('PodResizeInProgress')).toBeUndefined();
  expect(one.events).toContainEqual(expect.stringContaining('ResizeCompleted'));
});

test('a resize that restarts a container is under way until it runs again', async () => {
  const policy = { resizePolicy: [{ resourceName: 'cpu', restartPolicy: 'RestartContainer' }] };
  const one = new OnePod(pod({ containers: [container('1', policy)] }, annotated({ 'stop-delay': '5s' })));
  await one.pass();
  resize(one, 2, '2', policy);
  await one.pass(4_000);
  expect(one.container()).toMatchObject({ resources: { requests: { cpu: '1' } }, restartCount: 0 });
  expect(one.condition('PodResizeInProgress')).toBe('True');

  await one.pass(2_000);
  expect(one.container()).toMatchObject({ resources: { requests: { cpu: '2' } }, restartCount: 1 });
  expect(one.condition('PodResizeInProgress')).toBeUndefined();
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

  one.noRoomBecause = undefined;
  one.worker.retryResize();
  expect(one.condition('PodResizePending')).toBeUndefined();
  expect(one.container()).toMatchObject({ allocatedResources: { cpu: '8' } });
});

describe('the resources of the pod as a whole', () => {
  const limitsOf = (memory: string) => ({ resources: { limits: { memory } } });
  const bounded = (memory: string, more: object = {}) => ({
    ...limitsOf(memory),
    containers: [container('1', more)],
  });
  const change = (one: OnePod, memory: string, more: object = {}) =>
    one.change(
      (before) =>
        ({
          ...before,
          metadata: { ...before.metadata, generation: 2 },
          spec: { ...before.spec, ...bounded(memory, more) },
        }) as typeof before,
    );

  test('change, and with them the limits of containers that have none of their own', async () => {
    const one = new OnePod(pod(bounded('1Gi')));
    const resizes: ResizedContainer[] = [];
    const runtime: Runtime = one.runtime;
    runtime.resize = async (_before, _after, containers) => void resizes.push(...containers);
    await one.pass();
    change(one, '2Gi');
    await one.pass();

    expect(resizes.map(({ from, to }) => [from.resources?.limits, to.resources?.limits])).toEqual([
      [{ memory: '1Gi' }, { memory: '2Gi' }],
    ]);
    expect(one.container().restartCount).toBe(0);
    expect(one.events).toContainEqual(expect.stringContaining('Normal ResizeCompleted'));
  });

  test('reach containers that the informer shares between both versions of the pod', async () => {
    const one = new OnePod(pod(bounded('1Gi')));
    const resizes: ResizedContainer[] = [];
    const runtime: Runtime = one.runtime;
    runtime.resize = async (_before, _after, containers) => void resizes.push(...containers);
    await one.pass();
    one.change((before) => ({ ...before, spec: { ...before.spec!, ...limitsOf('2Gi') } }));
    await one.pass();

    expect(resizes.map(({ to }) => to.resources?.limits)).toEqual([{ memory: '2Gi' }]);
  });

  test('restart a container whose resize policy requires it', async () => {
    const policy = { resizePolicy: [{ resourceName: 'memory', restartPolicy: 'RestartContainer' }] };
    const one = new OnePod(pod(bounded('1Gi', policy)));
    await one.pass();
    change(one, '2Gi', policy);
    await one.pass();

    expect(one.container().restartCount).toBe(1);
  });

  test('stay as they are while the node has no room', async () => {
    const one = new OnePod(pod(bounded('1Gi')));
    await one.pass();
    one.noRoomBecause = 'no room';
    change(one, '2Gi');
    await one.pass();
    expect(one.worker.pod.spec?.resources?.limits).toEqual({ memory: '1Gi' });

    one.noRoomBecause = undefined;
    one.worker.retryResize();
    expect(one.worker.pod.spec?.resources?.limits).toEqual({ memory: '2Gi' });
  });
});
