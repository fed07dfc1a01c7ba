import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { announceCluster, runningClusters } from './running-clusters.ts';

let home: string;
beforeEach(() => void (home = mkdtempSync(path.join(os.tmpdir(), 'coxswain-running-'))));
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(home, { recursive: true });
});

const facts = {
  since: '2026-01-01T00:00:00.000Z',
  version: '0.1.0',
  kubernetesVersion: 'v1.36.3',
  url: 'https://127.0.0.1:6443',
  dataDirectory: '/proc/nowhere',
  inMemory: false,
  kubeconfig: '/data/kubeconfig',
};

test('a cluster is known for as long as it is announced', () => {
  const withdraw = announceCluster(facts, { HOME: home });
  expect(runningClusters({ HOME: home })).toMatchObject([{ ...facts, pid: process.pid }]);
  withdraw();
  expect(runningClusters({ HOME: home })).toEqual([]);
});

test('a process that is gone, or whose number is another process by now, is no cluster', () => {
  const withdraw = announceCluster(facts, { HOME: home });
  const directory = path.join(home, '.local/share/coxswain/running');
  const [name = ''] = readdirSync(directory);
  const known = JSON.parse(readFileSync(path.join(directory, name), 'utf8')) as object;
  withdraw();
  writeFileSync(path.join(directory, '1.json'), JSON.stringify({ ...known, processStart: '-1' }));
  writeFileSync(path.join(directory, '2.json'), JSON.stringify({ ...known, pid: 2 ** 30 }));
  writeFileSync(path.join(directory, '3.json'), '{');

  expect(runningClusters({ HOME: home })).toEqual([]);
  expect(readdirSync(directory)).toEqual([]);
});

test('where the home cannot be written, clusters are listed in a temporary directory of this user', () => {
  vi.stubEnv('TMPDIR', home);
  const file = path.join(home, 'file');
  writeFileSync(file, '');
  const homeless = { HOME: file };
  const withdraw = announceCluster(facts, homeless);
  expect(runningClusters(homeless)).toMatchObject([{ ...facts, pid: process.pid }]);
  const directory = path.join(home, `coxswain-user-${process.getuid!()}`);
  expect(statSync(directory).mode & 0o777).toBe(0o700);

  // Others may have created it, to name processes that "coxswain down" is to end.
  chmodSync(directory, 0o777);
  expect(runningClusters(homeless)).toEqual([]);
  renameSync(directory, `${directory}.other`);
  chmodSync(`${directory}.other`, 0o700);
  symlinkSync(`${directory}.other`, directory);
  expect(runningClusters(homeless)).toEqual([]);
  withdraw();
});

test('where nothing can be written, a cluster runs all the same', () => {
  vi.stubEnv('TMPDIR', '/proc/nowhere');
  announceCluster(facts, { HOME: '/proc/nowhere' })();
  expect(runningClusters({ HOME: '/proc/nowhere' })).toEqual([]);
});

test('a cluster is found by its data directory, under any name of it, whatever the home', () => {
  const [dataDirectory, link] = [path.join(home, 'data'), path.join(home, 'link')];
  mkdirSync(dataDirectory);
  symlinkSync(dataDirectory, link);
  const withdraw = announceCluster({ ...facts, dataDirectory }, { HOME: '/proc/nowhere' });
  expect(runningClusters({ HOME: home }, link)).toMatchObject([{ pid: process.pid, dataDirectory }]);
  expect(runningClusters({ HOME: home }, home)).toEqual([]);
  expect(runningClusters({ HOME: home })).toEqual([]);
  withdraw();
  expect(runningClusters({ HOME: home }, dataDirectory)).toEqual([]);
});
