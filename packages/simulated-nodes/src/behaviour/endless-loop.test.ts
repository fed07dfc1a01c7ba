import { expect, test } from 'vitest';
import { OnePod, pod } from '../../../kubelet/test/one-pod.ts';

const ticking = (script: string) =>
  new OnePod(pod({ containers: [{ name: 'c', image: 'b', command: ['sh', '-c', script] }] }));

async function logOf(one: OnePod, options: object = {}): Promise<string> {
  const id = one.container().containerID!.replace('containerd://', '');
  let text = '';
  for await (const chunk of one.runtime.logs(id, options)) text += new TextDecoder().decode(chunk);
  return text;
}

test('a loop without end prints its lines again and again', async () => {
  const one = ticking('trap exit TERM; echo ready; while true; do echo polo; sleep 2; done');
  await one.pass();
  expect(await logOf(one)).toBe('ready\npolo\n');
  await one.pass(4_000);
  expect(await logOf(one)).toBe('ready\npolo\npolo\npolo\n');
  expect(await logOf(one, { tailLines: 1 })).toBe('polo\n');
  expect(one.status?.phase).toBe('Running');
});

test('who follows the log is told of each round until the container stops', async () => {
  const one = ticking('while :; do echo tick; sleep 10; done');
  await one.pass();
  const followed = logOf(one, { follow: true });
  await one.pass(25_000);
  one.delete(0);
  await one.pass();
  expect(await followed).toBe('tick\ntick\ntick\n');
});

test('a loop over what the simulation does not know stays, and says only that', async () => {
  const one = ticking('while true; do stress http://web; sleep 1; done');
  await one.pass(5_000);
  expect(await logOf(one)).toMatch(/started on node-0 \(simulated\)\n$/);
});
