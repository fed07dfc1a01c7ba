/**
 * `npm run storage-faults -- [--on disk,etcd] [--etcd FILE,…] [--original FILE] [--faults killed,cut,…] [--ms 3000]`: disks that
 * fail under the embedded engine, and etcds, or lines to them, that fail under the API server. Tells what was answered
 * meanwhile, by the original too where its kube-apiserver is given. What can't be had on this machine is skipped, and said.
 */
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { diskRounds } from '../../packages/storage/test/faults/disk-rounds.ts';
import { diskFaults, faultyDisk } from '../../packages/storage/test/faults/faulty-disk.ts';
import { Etcd } from '../one-etcd/servers.ts';
import { etcdFaults, etcdRounds } from './etcd-rounds.ts';

const peers = join(homedir(), '.cache/kubernetes-peers/bin');
const { values } = parseArgs({
  options: {
    on: { type: 'string', default: 'disk,etcd' },
    etcd: { type: 'string', default: process.env.ETCD_BIN ?? join(peers, 'etcd') },
    original: { type: 'string', default: '' },
    faults: { type: 'string', default: '' },
    ms: { type: 'string', default: '3000' },
  },
});
const faultMs = Number(values.ms);
const wanted = <T extends string>(all: readonly T[]): readonly T[] =>
  values.faults === '' ? all : all.filter((fault) => values.faults.split(',').includes(fault));

if (values.on.includes('disk')) await onDisk();
if (values.on.includes('etcd')) for (const binary of values.etcd.split(',')) await onEtcd(binary);

async function onDisk(): Promise<void> {
  const disk = faultyDisk();
  if (disk === undefined) return console.log('disk: skipped, there is no Linux or no C compiler');
  try {
    const rounds = await diskRounds(disk, wanted(diskFaults), faultMs);
    console.table(
      rounds.map((round) => ({ ...round, refusals: round.refusals.length, problems: round.problems.length })),
    );
  } finally {
    disk.set('well');
    disk.remove();
  }
}

async function onEtcd(binary: string): Promise<void> {
  if (!existsSync(binary)) return console.log(`etcd: skipped, there is no ${binary}`);
  const etcd = await Etcd.start(binary);
  const original = values.original === '' ? undefined : values.original;
  try {
    const rounds = await etcdRounds({ etcd, original, faults: wanted(etcdFaults), faultMs });
    for (const { answers, ...round } of rounds) {
      console.log(`${binary}: ${JSON.stringify(round)}`);
      for (const [name, told] of Object.entries(answers)) {
        for (const [index, answer] of told.entries())
          console.log(`  ${index === 0 ? name : ''}`.padEnd(28), index === 0 ? 'ours' : 'original', answer);
      }
    }
  } finally {
    await etcd.stop();
  }
}
