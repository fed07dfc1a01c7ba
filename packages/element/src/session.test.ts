import { expect, test } from 'vitest';
// Loaded before the first test starts, since that takes time.
import 'coxswain/browser';
import { Session } from './session.ts';

const setup = { files: {}, seed: 5, nodes: 2, speed: 0 };
const lines = [
  'kubectl create deployment web --image=nginx --replicas=2',
  'kubectl debug node/node-0 --image=busybox -- date',
  'kubectl run shell --image=busybox -- sleep 1h',
  'kubectl debug shell --image=busybox --quiet -- date',
  'kubectl debug node/node-0 --image=busybox -- date',
];

test('a replay chooses the same names, whatever was read meanwhile', async () => {
  const entered = await Session.start(setup);
  for (const line of lines) {
    await entered.enter(line);
    await entered.cluster.clock.advance(1_000);
    await entered.run('get pods');
  }
  const state = await entered.share();
  const replayed = await Session.start(setup);
  const isSame = await replayed.replay(state, () => undefined);
  const namesOf = async ({ cluster }: Session) =>
    (await cluster.history.lines()).map((line) => line.split(' ', 3).join(' '));
  expect(await namesOf(replayed)).toEqual(await namesOf(entered));
  expect(isSame).toBe(true);
  await Promise.all([entered.stop(), replayed.stop()]);
});
