import { expect, test } from 'vitest';
import { OnePod, pod } from '../../test/one-pod.ts';
import { RuntimeFailure } from '../runtime.ts';

const lose = (one: OnePod): void => one.worker.sandboxLost(one.worker.sandbox!.id);

test('a container is started again in a new sandbox, and keeps running there', async () => {
  const one = new OnePod(pod());
  await one.pass();
  const before = one.worker.sandbox!.id;
  lose(one);
  await one.pass(60_000);
  expect(one.worker.sandbox?.id).not.toBe(before);
  expect(one.container()).toMatchObject({ restartCount: 1, ready: true, state: { running: {} } });
  expect(one.events.filter((event) => event.includes('Killing'))).toHaveLength(1);
});

test('what the loss of a sandbox has ended or kept from starting does not wait', async () => {
  const one = new OnePod(pod());
  await one.pass();
  const start = one.runtime.startContainer.bind(one.runtime);
  // The runtime ends the container before the sandbox, in which the kubelet then starts it again.
  one.runtime.startContainer = async () => {
    const exit = { exitCode: 128, reason: 'StartError', message: 'no shim', finishedMs: one.clock.now() };
    throw new RuntimeFailure('RunContainerError', 'no shim', { ended: { id: 'failed', exit } });
  };
  await one.runtime.stopContainer(one.container().containerID!.replace('containerd://', ''), 0);
  await one.pass(500);
  expect(one.container().lastState?.terminated?.reason).toBe('StartError');
  one.runtime.startContainer = start;
  lose(one);
  await one.pass(500);
  expect(one.container()).toMatchObject({ ready: true, state: { running: {} } });
  await one.pass(5_000);
  expect(one.events.filter((event) => event.includes('BackOff'))).toEqual([]);
});

test('a container that keeps failing by itself still waits in a new sandbox', async () => {
  const one = new OnePod(
    pod({
      containers: [
        { name: 'c', image: 'b', command: ['false'] },
        { name: 'other', image: 'nginx' },
      ],
    }),
  );
  await one.pass(1_000);
  expect(one.container().state?.waiting?.reason).toBe('CrashLoopBackOff');
  const { restartCount } = one.container();
  lose(one);
  await one.pass(2_000);
  expect(one.container('other')).toMatchObject({ restartCount: 1, state: { running: {} } });
  expect(one.container()).toMatchObject({ restartCount, state: { waiting: { reason: 'CrashLoopBackOff' } } });
});

test('init containers run again in a new sandbox, before anything else', async () => {
  const one = new OnePod(
    pod({
      initContainers: [
        { name: 'first', image: 'busybox', command: ['sleep', '5'] },
        { name: 'side', image: 'proxy', restartPolicy: 'Always' },
      ],
    }),
  );
  await one.pass(10_000);
  expect(one.container().state).toMatchObject({ running: {} });
  lose(one);
  await one.pass(1_000);
  expect(one.container('first')).toMatchObject({ restartCount: 1, state: { running: {} } });
  expect(one.container('side').state?.running).toBeUndefined();
  expect(one.container().state?.running).toBeUndefined();
  await one.pass(10_000);
  for (const name of ['side', 'c'])
    expect(one.container(name)).toMatchObject({ restartCount: 1, state: { running: {} } });
});

test('after a restart of the machine, init containers run again, too', async () => {
  const run = {
    restarts: 0,
    image: { ref: 'i', sizeBytes: 0, pulledInMs: 0 },
    startedMs: 0,
    user: undefined,
    isCurrent: () => true,
    exit: { exitCode: 0, reason: 'Completed', finishedMs: 0 },
  };
  const runs = [
    { ...run, name: 'first', id: 'first-0' },
    { ...run, name: 'c', id: 'c-0' },
  ];
  const initContainers = [{ name: 'first', image: 'busybox', command: ['sleep', '5'] }];
  const one = new OnePod(pod({ initContainers }), { sandbox: undefined, runs });
  await one.pass(1_000);
  expect(one.container('first')).toMatchObject({ restartCount: 1, state: { running: {} } });
  expect(one.container().state?.running).toBeUndefined();
  await one.pass(20_000);
  expect(one.container()).toMatchObject({ restartCount: 1, state: { running: {} } });
});

test.each(['Never', 'OnFailure'])(
  'with policy %s, nothing starts again once containers have ended well with their sandbox',
  async (restartPolicy) => {
    const initContainers = [{ name: 'first', image: 'busybox', command: ['true'] }];
    const one = new OnePod(pod({ restartPolicy, initContainers }));
    await one.pass(1_000);
    lose(one);
    await one.pass(60_000);
    expect(one.status?.phase).toBe('Succeeded');
    expect(one.container('first')).toMatchObject({ restartCount: 0, state: { terminated: { exitCode: 0 } } });
    expect(one.events.filter((event) => event.endsWith('Container started'))).toHaveLength(2);
  },
);
