import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { execute, recordedIo } from '@coxswain/cobra';
import { serveEtcd } from '@coxswain/etcd';
import { MemoryStorage } from '@coxswain/storage';
import { LmdbStorage } from '@coxswain/storage/engine/lmdb/lmdb-storage.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ProgramIo } from '../../program/program-io.ts';
import { storage } from './storage.ts';

let directory: string;
let data: string;

beforeEach(async () => {
  directory = mkdtempSync(path.join(tmpdir(), 'coxswain-storage-'));
  data = path.join(directory, 'data');
  const store = new LmdbStorage({ directory: path.join(data, 'storage') });
  for (const name of ['a', 'b', 'b']) {
    await store.update(`/registry/things/${name}`, () => ({
      kind: 'put',
      value: Buffer.from(`{"name":"${name}"}`),
    }));
  }
  await store.update('/registry/things/c', () => ({ kind: 'put', value: Buffer.from([0xff, 0]) }));
  await store.close();
});
afterEach(() => rmSync(directory, { recursive: true }));

async function run(...args: string[]): Promise<string> {
  const recorded = recordedIo();
  const io: ProgramIo = {
    ...recorded,
    input: Readable.from([]),
    env: {},
    signal: new AbortController().signal,
  };
  await execute(storage, args, io, io);
  return recorded.text.out;
}

test('stat shows the contents of a directory, also when given its parent', async () => {
  const cells = (await run('stat', data)).split('\n').map((line) => line.split(/ {2,}/));
  expect(cells.slice(0, 2).map((line) => line.slice(0, 7))).toEqual([
    ['DIRECTORY', 'FORMAT', 'REVISION', 'COMPACTED', 'KEYS', 'RECORDS', 'LEASES'],
    [data, '4', '5', '0', '3', '4', '0'],
  ]);
  expect(JSON.parse(await run('stat', '--json', data))).toMatchObject([
    { revision: 5, keys: 3, format: '4' },
  ]);
});

test('dump and get print stored text unchanged, and other values as base64', async () => {
  expect((await run('dump', data)).split('\n').map((line) => line.trim().split(/ +/).join(' '))).toEqual([
    '2 2 1 12 /registry/things/a',
    '3 4 2 12 /registry/things/b',
    '5 5 1 2 /registry/things/c',
    '',
  ]);
  expect(JSON.parse((await run('dump', '--values', '--prefix=/registry/things/b', data)).trim())).toEqual({
    key: '/registry/things/b',
    createRevision: 3,
    modRevision: 4,
    version: 2,
    value: '{"name":"b"}',
  });
  expect(await run('get', data, '/registry/things/a')).toBe('{"name":"a"}');
  expect(await run('get', data, '/registry/things/c')).toBe('/wA=\n');
  expect(JSON.parse(await run('get', '--meta', '--revision=3', data, '/registry/things/b'))).toMatchObject({
    modRevision: 3,
    version: 1,
  });
  await expect(run('get', data, '/registry/things/d')).rejects.toThrow('key /registry/things/d not found');
});

test('a snapshot is saved, restored, and found to be whole', async () => {
  const file = path.join(directory, 'snapshot');
  const other = path.join(directory, 'other');
  expect(await run('snapshot', 'save', data, file)).toMatch(/^Saved revision 5 in .* \(\d+ bytes\)\.\n$/);
  expect(await run('snapshot', 'restore', file, other)).toBe(
    `Restored 3 entries at revision 5 in ${other}.\n`,
  );
  expect(await run('check', data, other)).toBe(
    `${data}: 3 entries, 4 records, 0 leases: OK\n${other}: 3 entries, 4 records, 0 leases: OK\n`,
  );
  await expect(run('snapshot', 'restore', file, other)).rejects.toThrow('holds a store already');
  await expect(run('snapshot', 'restore', `${file}.none`, path.join(directory, 'new'))).rejects.toThrow(
    'no such file',
  );
  expect(existsSync(path.join(directory, 'new'))).toBe(false);
});

test('an etcd is saved as it saves itself, and such a file is not taken for a snapshot of a directory', async () => {
  const store = new MemoryStorage();
  const etcd = await serveEtcd({ engine: store.engine });
  await store.update('/registry/things/a', () => ({ kind: 'put', value: Buffer.from('{"name":"a"}') }));
  const file = path.join(directory, 'etcd.db');
  const url = `http://127.0.0.1:${etcd.port}`;
  expect(await run('snapshot', 'save', url, file)).toMatch(/^Saved the etcd at .* \(\d+ bytes\)\.\n$/);
  const bytes = readFileSync(file);
  expect(bytes.includes('{"name":"a"}')).toBe(true);
  expect(bytes.length % 512).toBe(32);
  await expect(run('snapshot', 'restore', file, path.join(directory, 'new'))).rejects.toThrow(
    'etcdutl snapshot restore',
  );
  await etcd.close();
  await store.close();
  await expect(run('snapshot', 'save', url, `${file}.2`)).rejects.toThrow('no etcd endpoint answers');
  expect(existsSync(`${file}.2`)).toBe(false);
});

test('a directory without a store is refused, and none is made there', async () => {
  await expect(run('stat', directory)).rejects.toThrow(`no store in ${directory}`);
  await expect(run('defrag', path.join(directory, 'none'))).rejects.toThrow('no store in');
});

test('a directory in use is refused', async () => {
  const store = new LmdbStorage({ directory: path.join(data, 'storage') });
  for (const args of [['check'], ['stat'], ['dump'], ['defrag']]) {
    await expect(run(...args, data)).rejects.toThrow(`is in use by process ${process.pid}`);
  }
  await store.close();
});

/** Returns what a failing command prints, and its error. */
async function failing(...args: string[]): Promise<string> {
  const recorded = recordedIo();
  const io: ProgramIo = {
    ...recorded,
    input: Readable.from([]),
    env: {},
    signal: new AbortController().signal,
  };
  const failure = await execute(storage, args, io, io).then(() => 'nothing', String);
  return `${recorded.text.out}${failure}`;
}

test('a file that is not a store is reported as damaged', async () => {
  writeFileSync(path.join(data, 'storage', 'data.mdb'), 'something else'.repeat(1000));
  const reported = await failing('check', data);
  expect(reported).toContain('it is not a database of this program');
  expect(reported).toContain('1 of 1 directory is damaged');
});

test('check reports a damaged directory, and recover keeps everything readable', async () => {
  const file = path.join(data, 'storage', 'superblock');
  rmSync(file);
  const reported = await failing('check', data);
  expect(reported).toContain(`${file} is missing or damaged`);
  expect(reported).toContain(`coxswain storage recover ${path.dirname(file)} --accept-data-loss`);
  expect(await failing('recover', data)).toContain('confirm with --accept-data-loss');

  expect(await run('recover', data, '--accept-data-loss')).toMatch(
    /^Recovered 3 entries at revision 1000005\. The old files are in .*damaged-/,
  );
  expect(await run('check', data)).toContain('3 entries, 0 records, 0 leases: OK');
});

test('for a single damaged value, check and snapshot suggest solutions', async () => {
  const file = path.join(data, 'storage', 'data.mdb');
  const bytes = readFileSync(file);
  const value = Buffer.from('{"name":"a"}');
  for (let at = bytes.indexOf(value); at >= 0; at = bytes.indexOf(value, at + 1)) bytes[at] = 0x5b;
  writeFileSync(file, bytes);

  const reported = await failing('check', data);
  expect(reported).toContain('the entry /registry/things/a is damaged');
  expect(reported).toContain(`coxswain storage recover ${data} --accept-data-loss`);
  expect(await failing('snapshot', 'save', data, path.join(directory, 'file'))).toContain(
    'the stored value of /registry/things/a is damaged: overwrite or delete it, or leave it out with "coxswain storage recover',
  );
});
