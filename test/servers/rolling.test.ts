/** Between emulated versions of ours; between the original and ours: `test/one-etcd/rolling.test.ts`. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ownEtcd } from '../faults/own-etcd.ts';
import { Etcd } from '../one-etcd/servers.ts';
import { rollingUpgrade } from './rolling.ts';

let own: string;
let etcd: Etcd;
beforeEach(() => {
  own = mkdtempSync(join(tmpdir(), 'coxswain-rolling-'));
});
afterEach(async () => {
  await etcd.stop();
  rmSync(own, { recursive: true });
});

test('servers that behave as 1.35 are replaced by those of 1.36 one by one: nothing is lost, stale or out of order', async () => {
  etcd = await Etcd.start(ownEtcd(own));
  const counts = await rollingUpgrade({
    etcd,
    seed: 1,
    versions: [{ flags: ['--emulated-version=1.35'] }, {}],
  });
  expect(counts.acknowledged).toBeGreaterThan(20);
}, 300_000);
