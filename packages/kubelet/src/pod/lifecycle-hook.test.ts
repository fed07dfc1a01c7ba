import { expect, test } from 'vitest';
import { ManualClock, type StepDetail } from '@coxswain/apimachinery';
import type { Runtime } from '../runtime.ts';
import { annotated, OnePod, pod } from '../../test/one-pod.ts';
import { runHook } from './lifecycle-hook.ts';

const withHooks = (lifecycle: object, more: object = {}) =>
  pod({ containers: [{ name: 'c', image: 'b', lifecycle, ...more }], restartPolicy: 'Always' });

test('a container is not up before its hook has ended', async () => {
  const one = new OnePod(withHooks({ postStart: { sleep: { seconds: 5 } } }));
  await one.pass(4_000);
  expect(one.status?.phase).toBe('Pending');
  expect(one.container().state).toEqual({ waiting: { reason: 'ContainerCreating' } });

  await one.pass(1_000);
  expect(one.condition('Ready')).toBe('True');
});

test('a command after the start changes the files of the container', async () => {
  const one = new OnePod(
    withHooks({ postStart: { exec: { command: ['sh', '-c', 'echo hello > /tmp/greeting'] } } }),
  );
  await one.pass();
  let text = '';
  const stdout = (chunk: Uint8Array) => void (text += new TextDecoder().decode(chunk));
  const id = one.container().containerID!.replace('containerd://', '');
  const code = await one.runtime.exec(id, ['cat', '/tmp/greeting'], { stdout });
  expect([code, text]).toEqual([0, 'hello\n']);
});

test('a program that the simulation does not have is no reason to fail a hook', async () => {
  const one = new OnePod(withHooks({ postStart: { exec: { command: ['/opt/app/warm-up'] } } }));
  await one.pass();
  expect(one.condition('Ready')).toBe('True');
});

test('a container whose hook fails after the start is killed and tried again', async () => {
  const one = new OnePod(withHooks({ postStart: { exec: { command: ['false'] } } }));
  await one.pass(1_000);

  expect(one.events).toContain('Warning FailedPostStartHook: PostStartHook failed');
  expect(one.events).toContain('Normal Killing: FailedPostStartHook');
  expect(one.container()).toMatchObject({
    ready: false,
    restartCount: 1,
    state: { waiting: { reason: 'CrashLoopBackOff' } },
  });
});

test('a container that ends while its hook is running is reported as ended', async () => {
  const one = new OnePod({
    ...withHooks({ postStart: { sleep: { seconds: 30 } } }, { command: ['sh', '-c', 'sleep 2; exit 3'] }),
  });
  one.change((before) => ({ ...before, spec: { ...before.spec, restartPolicy: 'Never' } }) as typeof before);
  await one.pass(3_000);
  expect(one.container().state?.terminated).toMatchObject({ exitCode: 3 });
  await one.pass(60_000);
  expect(one.status?.phase).toBe('Failed');
});

test('a container stops when its hook before the stop has ended', async () => {
  const one = new OnePod(withHooks({ preStop: { sleep: { seconds: 10 } } }));
  await one.pass();
  one.delete();
  await one.pass(9_000);
  expect(one.container().state).toHaveProperty('running');
  expect(one.removed).toBe(false);

  await one.pass(1_000);
  expect(one.removed).toBe(true);
  expect(one.errors).toEqual([]);
});

test('a hook before the stop has no longer than the grace period', async () => {
  const one = new OnePod(withHooks({ preStop: { sleep: { seconds: 600 } } }));
  await one.pass();
  one.delete(5);
  await one.pass(5_000);
  expect(one.removed).toBe(true);
  expect(one.events).not.toContain('Warning FailedPreStopHook: PreStopHook failed');
});

test('a failing preStop hook is reported, and the container stops all the same', async () => {
  const failing = annotated({ 'hook.prestop': 'fail' });
  const one = new OnePod(
    pod(
      { containers: [{ name: 'c', image: 'b', lifecycle: { preStop: { httpGet: { port: 80 } } } }] },
      failing,
    ),
  );
  await one.pass();
  one.delete();
  await one.pass();
  expect(one.events).toContain('Warning FailedPreStopHook: PreStopHook failed');
  expect(one.removed).toBe(true);
});

test('a pod that is deleted while a hook runs after its start does not wait for it', async () => {
  const one = new OnePod(withHooks({ postStart: { sleep: { seconds: 600 } } }));
  await one.pass(1_000);
  one.delete();
  await one.pass();
  expect(one.removed).toBe(true);
});

test('a hook is a step, without its error, which may contain a secret', async () => {
  const steps: unknown[] = [];
  const over = (failure?: unknown, detail?: StepDetail) => void steps.push({ failure, detail });
  const observer = {
    begin: (step: string) => (steps.push(step), { over }),
    note: (values: StepDetail) => void steps.push(values),
  };
  const failure = new Error('password hunter2');
  const runtime = { runHook: () => Promise.reject(failure) } as unknown as Runtime;
  const handler = { exec: { command: ['warm-up'] } };
  const run = { runtime, clock: new ManualClock(), observer, id: 'c', kind: 'PostStart', handler } as const;
  await expect(runHook(run)).rejects.toBe(failure);
  expect(steps).toEqual(['hook/PostStart', { failed: true }, { failure: undefined, detail: undefined }]);
});
