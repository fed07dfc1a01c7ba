import { expect, test } from 'vitest';
import { OnePod, pod } from '../../test/one-pod.ts';

const onExit = (code: number) => ({
  restartPolicy: 'Never',
  restartPolicyRules: [{ action: 'RestartAllContainers', exitCodes: { operator: 'In', values: [code] } }],
});

test('an exit that matches a rule restarts all containers, init containers first', async () => {
  const one = new OnePod(
    pod({
      restartPolicy: 'Never',
      initContainers: [{ name: 'init', image: 'b', command: ['sleep', '2'] }],
      containers: [
        { name: 'main', image: 'b', command: ['sh', '-c', 'sleep 10; exit 42'], ...onExit(42) },
        { name: 'other', image: 'b', command: ['sleep', '1000'] },
      ],
    }),
  );
  await one.pass(5_000);
  expect(one.status?.phase).toBe('Running');
  expect(one.condition('AllContainersRestarting')).toBe('False');

  await one.pass(8_000);
  expect(one.container('init')).toMatchObject({ restartCount: 1, state: { running: {} } });
  expect(one.container('other').state?.waiting?.reason).toBe('RestartingAllContainers');
  expect(one.container('other').lastState?.terminated).toMatchObject({
    exitCode: 137,
    reason: 'RestartingAllContainers',
    finishedAt: null,
  });
  expect(one.condition('Initialized')).toBe('True');
  expect(one.events).toContain('Normal Killing: killing');

  await one.pass(4_000);
  expect(one.status?.phase).toBe('Running');
  expect(one.container('main')).toMatchObject({ restartCount: 1, state: { running: {} } });
  expect(one.container('other')).toMatchObject({ restartCount: 1, state: { running: {} } });
});

test('any other exit ends containers that are not restarted', async () => {
  const one = new OnePod(
    pod({
      restartPolicy: 'Never',
      containers: [{ name: 'main', image: 'b', command: ['sh', '-c', 'exit 7'], ...onExit(42) }],
    }),
  );
  await one.pass(1_000);

  expect(one.status?.phase).toBe('Failed');
  expect(one.container('main').state?.terminated?.exitCode).toBe(7);
  const condition = one.status?.conditions?.find(({ type }) => type === 'AllContainersRestarting');
  expect(condition).toMatchObject({ status: 'False', reason: 'PodFailed' });
});
