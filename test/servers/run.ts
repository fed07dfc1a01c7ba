/**
 * `npm run several-servers -- [--minutes 60] [--seed N] [--etcd FILE] [--faults 'machine cut off,…'] [--knows all|own]`: three API
 * servers on three etcds, two managers and two schedulers, any of which fails at any time. Needs root and network namespaces.
 */
import { parseArgs } from 'node:util';
import { etcdBinary } from '../../packages/storage/test/real-etcd.ts';
import { faults, serversStory, type FaultName } from './story.ts';

const all = Object.keys(faults) as FaultName[];
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    etcd: { type: 'string', default: etcdBinary ?? '' },
    faults: { type: 'string', default: all.join() },
    knows: { type: 'string', default: 'all' },
    ms: { type: 'string', default: '9000' },
  },
});
const wanted = values.faults.split(',') as FaultName[];
const strange = wanted.find((fault) => !all.includes(fault));
if (strange !== undefined) throw new Error(`there is no fault "${strange}": ${all.join(', ')}`);
if (values.etcd === '') throw new Error('there is no etcd on this machine: name one with --etcd');
const endMs = performance.now() + Number(values.minutes) * 60_000;
console.log(`seed ${values.seed}`);
const rounds = await serversStory({
  etcdBinary: values.etcd,
  seed: Number(values.seed),
  knowsAll: values.knows === 'all',
  faultMs: Number(values.ms),
  next(random) {
    if (performance.now() > endMs) return undefined;
    const fault = wanted[Math.floor(random.next() * wanted.length)]!;
    return [fault, random.next() < 0.4 ? 'leader' : Math.floor(random.next() * 3)];
  },
  report: (round) => console.log(JSON.stringify(round)),
});
if (typeof rounds === 'string') throw new Error(`not on this machine: ${rounds}`);
console.log(`${rounds.length} faults; nothing was lost, stale or out of order`);
process.exit(0);
