/** The original and ours take each other's place. */
import path from 'node:path';
import process from 'node:process';
import { expect, test } from 'vitest';
import { rollingUpgrade } from '../servers/rolling.ts';
import { Etcd } from './servers.ts';

const directory = process.env.ORIGINAL_BIN!;
const original = path.join(directory, 'kube-apiserver');

test('the original is replaced by ours, and ours by the original', async () => {
  const etcd = await Etcd.start(process.env.ETCD_BIN ?? path.join(directory, 'etcd'));
  try {
    const versions = [{ binary: original }, {}, { binary: original }];
    const { acknowledged } = await rollingUpgrade({ etcd, seed: 1, versions });
    expect(acknowledged).toBeGreaterThan(20);
  } finally {
    await etcd.stop();
  }
}, 600_000);
