/**
 * `npm run storage-linearizability -- [--operations 200000] [--seed N] [--on memory,lmdb,cache,etcd,etcd-cache,api-server,serving-threads]`:
 * lets clients read and write at once, and looks whether what they saw can be put in one order.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { seededRandom } from '@coxswain/apimachinery';
import type { Transport } from '@coxswain/client';
import { serveEtcd } from '@coxswain/etcd';
import { createKubeApiServer } from '@coxswain/kube-apiserver';
import { MemoryStorage } from '@coxswain/storage';
import { LmdbStorage } from '@coxswain/storage/engine/lmdb/lmdb-storage.ts';
import { EtcdStorage } from '@coxswain/storage/etcd/etcd-storage.ts';
import { checkLinearizable } from '@coxswain/storage/suite/linearizability/checker.ts';
import { registerModel, type Registers } from '@coxswain/storage/suite/linearizability/registers.ts';
import {
  cachedRegisters,
  engineRegisters,
  storageRegisters,
} from '@coxswain/storage/suite/linearizability/storage-registers.ts';
import { recordHistory } from '@coxswain/storage/suite/linearizability/workload.ts';
import {
  connectionsInTurn,
  startedProgram,
} from '../../packages/kube-apiserver/test/oracle/threaded-server.ts';
import { apiServerRegisters, initialValue } from './api-server-registers.ts';

const keys = 3;
const clients = 10;
/** Registers of their own are used at the same time, so that commits and reads of many overlap. */
const groups = 8;

interface Target {
  readonly registers: (group: number) => Promise<Registers>;
  readonly initial?: string;
  /** Goes on during the histories: what must not be seen. */
  readonly disturb?: () => Promise<void>;
  readonly close: () => Promise<void>;
}

const targets: Readonly<Record<string, (directory: string) => Promise<Target>>> = {
  async memory() {
    const storage = new MemoryStorage();
    return {
      registers: async (group) => engineRegisters(storage, `/registry/${group}/`),
      close: () => storage.close(),
    };
  },
  async lmdb(directory) {
    const storage = new LmdbStorage({ directory });
    return {
      registers: async (group) => engineRegisters(storage, `/registry/${group}/`),
      disturb: () => upkeep(storage),
      close: () => storage.close(),
    };
  },
  async cache(directory) {
    const storage = new LmdbStorage({ directory });
    return {
      registers: async (group) => cachedRegisters(storage, `/registry/${group}/`),
      disturb: () => upkeep(storage),
      close: () => storage.close(),
    };
  },
  async etcd(directory) {
    const { remote, close } = await etcdOn(directory);
    return { registers: async (group) => storageRegisters(remote, `/registry/${group}/`), close };
  },
  async 'etcd-cache'(directory) {
    const { remote, close } = await etcdOn(directory);
    return { registers: async (group) => cachedRegisters(remote, `/registry/${group}/`), close };
  },
  async 'api-server'(directory) {
    const server = await createKubeApiServer({ dataDir: directory });
    const transport = server.inProcess({ name: 'tester', groups: ['system:masters'] });
    return {
      registers: (group) => apiServerRegisters(transport, `group-${group}`, keys),
      initial: initialValue,
      close: () => server.stop(),
    };
  },
  /** Over connections in turn, to each of three threads. */
  async 'serving-threads'(directory) {
    const tokens = join(directory, 'tokens.csv');
    writeFileSync(tokens, 'a-token,tester,tester,"system:masters"\n', { mode: 0o600 });
    const files = [`--data-dir=${join(directory, 'data')}`, `--cert-dir=${directory}`];
    const program = await startedProgram(['--threads=3', ...files, `--token-auth-file=${tokens}`]);
    const connections = connectionsInTurn(program.address);
    const transport: Transport = {
      ...connections,
      send: (request) =>
        connections.send({ ...request, headers: { ...request.headers, authorization: 'Bearer a-token' } }),
    };
    return {
      registers: (group) => apiServerRegisters(transport, `group-${group}`, keys),
      initial: initialValue,
      close: () => program.stop(),
    };
  },
};

async function etcdOn(directory: string) {
  const storage = new LmdbStorage({ directory });
  const listener = await serveEtcd({ engine: storage.engine });
  const remote = new EtcdStorage({ endpoints: [`http://127.0.0.1:${listener.port}`] });
  const close = async (): Promise<void> => {
    await remote.close();
    await listener.close();
    await storage.close();
  };
  return { remote, close };
}

async function upkeep(storage: LmdbStorage): Promise<void> {
  if (storage.currentRevision > storage.compactedRevision) await storage.compact(storage.currentRevision);
  await storage.engine.defragment();
}

/** Resolves with how many operations were checked. */
async function run(target: Target, operations: number, seed: number): Promise<number> {
  const { registers, initial = '', disturb } = target;
  const random = seededRandom(seed);
  const operationsPerClient = Math.ceil(operations / groups / clients);
  let isOver = false;
  const disturbing = (async () => {
    while (disturb !== undefined && !isOver) await disturb();
  })();
  const histories = await Promise.all(
    Array.from({ length: groups }, async (_, group) =>
      recordHistory(await registers(group), { clients, operationsPerClient, keys, random }),
    ),
  );
  isOver = true;
  await disturbing;
  for (const history of histories) {
    const verdict = checkLinearizable(history, registerModel(keys, initial));
    if (!verdict.linearizable) throw new Error(`not linearizable: ${JSON.stringify(verdict, undefined, 2)}`);
  }
  return histories.reduce((sum, history) => sum + history.length, 0);
}

const { values } = parseArgs({
  options: {
    operations: { type: 'string', default: '200000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    on: { type: 'string', default: Object.keys(targets).join() },
  },
});
for (const name of values.on.split(',')) {
  const open = targets[name];
  if (open === undefined) throw new Error(`there is no ${name}, only ${Object.keys(targets).join(', ')}`);
  const directory = mkdtempSync(join(tmpdir(), 'coxswain-linear-'));
  const startMs = performance.now();
  const target = await open(directory);
  try {
    const checked = await run(target, Number(values.operations), Number(values.seed));
    const seconds = ((performance.now() - startMs) / 1000).toFixed(1);
    console.log(`${name}: ${checked} operations are linearizable (seed ${values.seed}, ${seconds} s)`);
  } finally {
    await target.close();
    rmSync(directory, { recursive: true, force: true });
  }
}
process.exit(0);
