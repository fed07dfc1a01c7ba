/** The whole of it, by the hour: `npm run several-servers`. */
import { expect, test } from 'vitest';
import { etcdBinary } from '../../packages/storage/test/real-etcd.ts';
import { serversStory, type FaultName } from './story.ts';

const reported: readonly (readonly [FaultName, number | 'leader'])[] = [
  ['etcd paused', 0],
  ['API server killed', 1],
  ['machine cut off', 'leader'],
  ['manager paused', 'leader'],
  ['machine killed', 2],
];

const isPossible = etcdBinary !== undefined && process.platform === 'linux' && process.getuid?.() === 0;

test.runIf(isPossible)(
  'of three servers each may be killed, paused or cut off: nothing is lost, stale or out of order, and work goes on',
  async () => {
    const rounds = await serversStory({
      etcdBinary: etcdBinary!,
      seed: 1,
      knowsAll: true,
      faultMs: 3_000,
      next: (_random, count) => reported[count],
    });
    if (typeof rounds !== 'string')
      expect(rounds.map(({ fault }) => fault)).toEqual(reported.map(([fault]) => fault));
    else console.log(`left out: ${rounds}`);
  },
  480_000,
);
