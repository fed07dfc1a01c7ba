import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readKubeconfig } from '@coxswain/client/kubeconfig/load.ts';
import { contextNameOf, mergeContext, removeContext } from './user-kubeconfig.ts';

let home: string;
let file: string;
let own: string;
beforeEach(() => {
  home = mkdtempSync(path.join(os.tmpdir(), 'coxswain-user-kubeconfig-'));
  file = path.join(home, '.kube', 'config');
  own = path.join(home, 'own');
  writeFileSync(own, JSON.stringify(configOf('https://127.0.0.1:6443')));
});
afterEach(() => rmSync(home, { recursive: true }));

const configOf = (server: string) => ({
  clusters: [{ name: 'coxswain', cluster: { server } }],
  users: [{ name: 'admin', user: { token: 'a' } }],
  contexts: [{ name: 'coxswain', context: { cluster: 'coxswain', user: 'admin' } }],
  'current-context': 'coxswain',
});
const theirs = {
  clusters: [{ name: 'prod', cluster: { server: 'https://192.0.2.1' } }],
  users: [{ name: 'prod', user: { token: 'b' } }],
  contexts: [{ name: 'prod', context: { cluster: 'prod', user: 'prod', namespace: 'shop' } }],
  'current-context': 'prod',
  extensions: [{ name: 'x', extension: { y: 1 } }],
};

test('without a kubeconfig there is one, for its owner alone, whose current context it is', () => {
  expect(mergeContext(own, 'coxswain', { HOME: home })).toEqual({ file, isCurrent: true });
  expect(readKubeconfig(file)).toMatchObject({ 'current-context': 'coxswain' });
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('other contents and the current context are kept; a link stays a link; no temporary files remain', () => {
  mkdirSync(path.dirname(file));
  writeFileSync(path.join(home, 'elsewhere'), JSON.stringify(theirs), { mode: 0o644 });
  symlinkSync(path.join(home, 'elsewhere'), file);

  expect(mergeContext(own, 'coxswain', { HOME: home }).isCurrent).toBe(false);
  writeFileSync(own, JSON.stringify(configOf('https://127.0.0.1:7443')));
  mergeContext(own, 'coxswain', { HOME: home });

  const merged = readKubeconfig(path.join(home, 'elsewhere'));
  expect(merged).toMatchObject({ 'current-context': 'prod', extensions: theirs.extensions });
  expect(merged.contexts).toEqual([
    { name: 'coxswain', context: { cluster: 'coxswain', user: 'coxswain' } },
    theirs.contexts[0],
  ]);
  expect(merged.clusters?.[0]?.cluster?.server).toBe('https://127.0.0.1:7443');
  expect(readdirSync(path.dirname(file))).toEqual(['config']);

  expect(removeContext('coxswain', { HOME: home })).toBe(true);
  expect(removeContext('coxswain', { HOME: home })).toBe(false);
  expect(readKubeconfig(file)).toMatchObject(theirs);
});

test('while another program holds the lock, nothing is changed', () => {
  mkdirSync(path.dirname(file));
  writeFileSync(file, JSON.stringify(theirs));
  writeFileSync(`${file}.lock`, '');
  expect(() => mergeContext(own, 'coxswain', { HOME: home })).toThrow(`open ${file}.lock: file exists`);
  expect(readFileSync(file, 'utf8')).toBe(JSON.stringify(theirs));
});

test('the context is called as the directory, but that of the usual one', () => {
  expect(contextNameOf('/h/.local/share/coxswain', { HOME: '/h' })).toBe('coxswain');
  expect(contextNameOf('/projects/shop', { HOME: '/h' })).toBe('coxswain-shop');
});
