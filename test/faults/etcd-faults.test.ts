/** The whole of it, with etcds of the original: `npm run storage-faults`. Here with our own etcd, in seconds. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Etcd } from '../one-etcd/servers.ts';
import { etcdRounds } from './etcd-rounds.ts';
import { lineTo } from './line.ts';
import { ownEtcd } from './own-etcd.ts';

test.runIf(process.platform !== 'win32')(
  'an API server whose etcd is killed, compacted by others, put back, or cut off goes on, and serves what etcd has',
  async () => {
    const directory = mkdtempSync(join(tmpdir(), 'coxswain-etcd-faults-'));
    const etcd = await Etcd.start(ownEtcd(directory));
    try {
      const faults = ['killed', 'compacted', 'put back', 'cut'] as const;
      const rounds = await etcdRounds({ etcd, line: await lineTo(etcd.url), faults, faultMs: 300 });

      expect(rounds.map(({ fault }) => fault)).toEqual(faults);
      const [killed] = rounds;
      expect(killed!.answers['list, whatever is there']).toEqual([expect.stringMatching(/^200 /)]);
    } finally {
      await etcd.stop();
      rmSync(directory, { recursive: true });
    }
  },
  120_000,
);
