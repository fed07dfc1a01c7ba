/** With the original, `ORIGINAL_BIN=DIR`; between emulated versions of ours everywhere. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ownEtcd } from '../faults/own-etcd.ts';
import { Etcd } from '../one-etcd/servers.ts';
import { rollingUpgrade } from './rolling.ts';

const folder = process.env.ORIGINAL_BIN;
const original = folder === undefined ? undefined : join(folder, 'kube-apiserver');

let own: string;
let etcd: Etcd;
beforeEach(() => {
  own = mkdtempSync(join(tmpdir(), 'coxswain-rolling-'));
});
afterEach(async () => {
  await etcd.stop();
  rmSync(own, { recursive: true });
});

test.runIf(process.platform !== 'win32')(
  'servers that behave as 1.35 are replaced by those of 1.36 one by one: nothing is lost, stale or out of order',
  async () => {
    etcd = await Etcd.start(ownEtcd(own));
    const counts = await rollingUpgrade({
      etcd,
      seed: 1,
      versions: [{ flags: ['--emulated-version=1.35'] }, {}],
    });
    expect(counts.acknowledged).toBeGreaterThan(20);
  },
  300_000,
);

test.runIf(original !== undefined && existsSync(original))(
  'the original is replaced by ours, and ours by the original',
  async () => {
    etcd = await Etcd.start(process.env.ETCD_BIN ?? join(folder!, 'etcd'));
    const versions = [{ binary: original }, {}, { binary: original }];
    const counts = await rollingUpgrade({ etcd, seed: 1, versions });
    expect(counts.acknowledged).toBeGreaterThan(20);
  },
  600_000,
);
