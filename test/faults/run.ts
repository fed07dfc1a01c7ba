/**
 * `npm run storage-faults -- [--on disk,file-system,clock,network,etcd] [--etcd FILE,…] [--original FILE] [--faults killed,cut,…]
 * [--ms 3000] [--jumping DIR]`: what fails under the embedded engine (disks, a file system, the clock), and etcds, or lines
 * and networks to them, that fail under the API server. Tells what was answered meanwhile, by the original too where
 * its kube-apiserver is given. What can't be had on this machine is skipped, and said.
 *
 * `own` as an etcd is ours. `--jumping` has the original's `etcd` and `kube-apiserver`, built with a time of day that they
 * read as `jumping-clock.c` does: Go's programs ask no C library.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { diskRounds } from '../../packages/storage/test/faults/disk-rounds.ts';
import { failingFileSystem } from '../../packages/storage/test/faults/failing-file-system.ts';
import { diskFaults, faultyDisk } from '../../packages/storage/test/faults/faulty-disk.ts';
import { readOnlyRound } from '../../packages/storage/test/faults/read-only-round.ts';
import { Etcd } from '../one-etcd/servers.ts';
import { clockJumps, clockRounds, type ClockJump } from './clock-rounds.ts';
import { etcdFaults, etcdRounds, linkFaults } from './etcd-rounds.ts';
import { jumpingClock } from './jumping-clock.ts';
import { lineTo } from './line.ts';
import { layLink } from './link.ts';
import { ownEtcd } from './own-etcd.ts';
import type { Answers } from './questions.ts';

const peers = join(homedir(), '.cache/kubernetes-peers/bin');
const { values } = parseArgs({
  options: {
    on: { type: 'string', default: 'disk,file-system,clock,network,etcd' },
    etcd: { type: 'string', default: process.env.ETCD_BIN ?? join(peers, 'etcd') },
    original: { type: 'string', default: '' },
    jumping: { type: 'string', default: '' },
    faults: { type: 'string', default: '' },
    ms: { type: 'string', default: '3000' },
  },
});
const faultMs = Number(values.ms);
const original = values.original === '' ? undefined : values.original;
/** Rounds in which LMDB ended the process say nothing of reads: others follow. */
const attemptsMax = 4;

const wanted = <T extends string>(all: readonly T[]): readonly T[] =>
  values.faults === '' ? all : all.filter((fault) => values.faults.split(',').includes(fault));

const directory = mkdtempSync(join(tmpdir(), 'coxswain-faults-'));
const own = ownEtcd(directory);
const etcds = values.etcd.split(',').map((file) => (file === 'own' ? own : file));
const subjects: Readonly<Record<string, () => Promise<void>>> = {
  disk: onDisk,
  'file-system': onFileSystem,
  clock: onClock,
  network: () => onEach('network', onNetwork),
  etcd: () => onEach('etcd', onEtcd),
};
try {
  for (const name of values.on.split(',')) {
    const subject = subjects[name];
    if (subject === undefined) throw new Error(`--on knows ${Object.keys(subjects).join(', ')}, not ${name}`);
    await subject();
  }
} finally {
  rmSync(directory, { recursive: true });
}

async function onDisk(): Promise<void> {
  const disk = faultyDisk();
  if (disk === undefined) return skipped('disk', 'there is no Linux or no C compiler');
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

async function onFileSystem(): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const fileSystem = failingFileSystem();
    if (typeof fileSystem === 'string') return skipped('file-system', fileSystem);
    try {
      const round = await readOnlyRound(fileSystem, faultMs);
      console.log('file-system:', round);
      if (!round.hasDied) return;
    } finally {
      fileSystem.remove();
    }
    if (attempt === attemptsMax) throw new Error(`the clients died in each of ${attemptsMax} rounds`);
  }
}

async function onClock(): Promise<void> {
  const clock = jumpingClock();
  if (typeof clock === 'string') return skipped('clock', clock);
  const jumps = wanted(Object.keys(clockJumps) as ClockJump[]);
  const place = { enter: [], address: '127.0.0.1', env: clock.env };
  const both = values.jumping === '' ? [] : [join(values.jumping, 'etcd')];
  try {
    report('clock, embedded', await clockRounds({ clock, jumps }));
    for (const binary of [own, ...both]) {
      const etcd = await Etcd.start(binary, place);
      const server = binary === own ? undefined : join(values.jumping, 'kube-apiserver');
      try {
        report(`clock, ${binary}`, await clockRounds({ clock, etcd, binary: server, jumps }));
      } finally {
        await etcd.stop();
      }
    }
  } finally {
    clock.remove();
  }
}

async function onEach(subject: string, rounds: (binary: string) => Promise<void>): Promise<void> {
  for (const binary of etcds) {
    if (existsSync(binary)) await rounds(binary);
    else skipped(subject, `there is no ${binary}`);
  }
}

async function onNetwork(binary: string): Promise<void> {
  const link = layLink();
  if (typeof link === 'string') return skipped('network', link);
  const etcd = await Etcd.start(binary, link.far);
  try {
    const line = link.lineTo(etcd.port);
    const faults = wanted(linkFaults);
    report(
      `network, ${binary}`,
      await etcdRounds({ etcd, line, place: link.near, original, faults, faultMs }),
    );
  } finally {
    await etcd.stop();
    link.remove();
  }
}

async function onEtcd(binary: string): Promise<void> {
  const etcd = await Etcd.start(binary);
  try {
    const line = await lineTo(etcd.url);
    report(
      `etcd, ${binary}`,
      await etcdRounds({ etcd, line, original, faults: wanted(etcdFaults), faultMs }),
    );
  } finally {
    await etcd.stop();
  }
}

function report(subject: string, rounds: readonly { readonly answers: Answers }[]): void {
  for (const { answers, ...round } of rounds) {
    console.log(`${subject}: ${JSON.stringify(round)}`);
    for (const [name, reported] of Object.entries(answers)) {
      for (const [index, answer] of reported.entries())
        console.log(`  ${index === 0 ? name : ''}`.padEnd(32), index === 0 ? 'first' : 'original', answer);
    }
  }
}

function skipped(subject: string, reason: string): void {
  console.log(`${subject}: skipped, ${reason}`);
}
