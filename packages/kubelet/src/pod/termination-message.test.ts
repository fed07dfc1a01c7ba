import { expect, test } from 'vitest';
import { OnePod, pod } from '../../test/one-pod.ts';

const file = { terminationMessagePath: '/dev/termination-log', terminationMessagePolicy: 'File' };
const orLog = { ...file, terminationMessagePolicy: 'FallbackToLogsOnError' };

async function messageOf(script: string, policy: object, others = 0): Promise<string | undefined> {
  const more = Array.from({ length: others }, (_, at) => ({ name: `other-${at}`, image: 'nginx' }));
  const c = { name: 'c', image: 'debian', command: ['sh', '-c', script], ...policy };
  const one = new OnePod(pod({ restartPolicy: 'Never', containers: [c, ...more] }));
  await one.pass(5_000);
  const { terminated } = one.container().state!;
  expect(terminated).toBeDefined();
  return terminated!.message;
}

test.each<[string, string, object, string | undefined]>([
  ['what its file says', 'sleep 2 && echo Sleep expired > /dev/termination-log', file, 'Sleep expired\n'],
  ['another file', 'echo hi > /tmp/end; exit 1', { ...file, terminationMessagePath: '/tmp/end' }, 'hi\n'],
  ['nothing but its log', 'echo hi; exit 1', file, undefined],
  [
    'a log that stands for the file',
    'echo hi; ls /nope',
    orLog,
    'hi\nls: /nope: No such file or directory\n',
  ],
  ['a log, after a timer', 'echo hi; exit 1', orLog, 'hi\n'],
  ['a log, without failure', 'echo hi', orLog, undefined],
  ['both', 'echo hi; echo why > /dev/termination-log; exit 1', orLog, 'why\n'],
])('a container that leaves %s', async (_what, script, policy, message) => {
  expect(await messageOf(script, policy)).toBe(message);
});

test.each([
  [0, 4096],
  [3, 3072],
  [5, 2048],
])('a container beside %i others reports the last 4096 bytes, and of these %i', async (others, length) => {
  const text = await messageOf('seq 1 2000 > /dev/termination-log', file, others);
  expect(text).toHaveLength(length);
  expect(text!.endsWith('2000\n')).toBe(others === 0);
});
