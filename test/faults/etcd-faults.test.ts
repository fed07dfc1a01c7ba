/** The whole of it, with etcds of the original: `npm run storage-faults`. Here with our own etcd, in seconds. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Etcd } from '../one-etcd/servers.ts';
import { etcdRounds } from './etcd-rounds.ts';

const program = join(import.meta.dirname, '../../packages/coxswain/bin/coxswain.mjs');
/** The executables are made when somebody asks where they are. */
const ownEtcd = (): string =>
  join(execFileSync(process.execPath, [program, 'assets'], { encoding: 'utf8' }).trim(), 'etcd');

test.runIf(process.platform !== 'win32')(
  'an API server whose etcd is killed, compacted by others, put back, or cut off goes on, and serves what etcd has',
  async () => {
    const etcd = await Etcd.start(ownEtcd());
    try {
      const faults = ['killed', 'compacted', 'put back', 'cut'] as const;
      const rounds = await etcdRounds({ etcd, faults, faultMs: 300 });

      expect(rounds.map(({ fault }) => fault)).toEqual(faults);
      const [killed] = rounds;
      expect(killed!.answers['list, whatever is there']).toEqual([expect.stringMatching(/^200 /)]);
    } finally {
      await etcd.stop();
    }
  },
  120_000,
);
