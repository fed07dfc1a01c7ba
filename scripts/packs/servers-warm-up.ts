/**
 * Starts etcd and kube-apiserver out of a pack without bytecode, and writes the pack again with that of what ran; and
 * what they say to `--help`, beside it.
 */

import { generateKeyPairSync } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { createServer, type AddressInfo } from 'node:net';
import path from 'node:path';
import { openPack } from '../../packages/coxswain/bin/kubectl.cjs';
import { helpFile } from 'coxswain/program/assets.ts';
import { packed, unpacked } from './pack-file.ts';

const file = process.argv[2] ?? '';
const { load, scripts } = openPack(file, false);
const { runServer } = load('servers.cjs');

const token = 'warm-up';
const configMaps = '/api/v1/namespaces/default/configmaps';
const pollMs = 20;
const agent = new Agent({ rejectUnauthorized: false });
const silent = { write: () => true };

const { publicKey, privateKey } = generateKeyPairSync('ec', {
  namedCurve: 'P-256',
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});
writeFileSync('sa.pub', publicKey);
writeFileSync('sa.key', privateKey);
writeFileSync('tokens.csv', `${token},builder,builder,system:masters\n`);
const [clients, peers, secure] = await Promise.all([freePort(), freePort(), freePort()]);
const etcdUrl = `http://127.0.0.1:${clients}`;

for (const program of ['etcd', 'kube-apiserver']) {
  const said: string[] = [];
  await answered([program, '--help'], { write: (text) => said.push(text) });
  writeFileSync(path.join(path.dirname(file), helpFile(program)), said.join(''));
}
// The first time keys and objects are made, the second time they are there.
await once();
await once();
const modules = unpacked(readFileSync(file)).map((module) => ({
  ...module,
  code: scripts.get(module.name)?.createCachedData() ?? module.code,
}));
writeFileSync(file, packed(modules));
process.exit();

async function once(): Promise<void> {
  const [stopEtcd, stopApiServer] = [new AbortController(), new AbortController()];
  const etcd = answered(
    [
      'etcd',
      `--advertise-client-urls=${etcdUrl}`,
      '--data-dir=etcd',
      `--listen-client-urls=${etcdUrl}`,
      `--listen-peer-urls=http://127.0.0.1:${peers}`,
      '--unsafe-no-fsync=true',
    ],
    silent,
    stopEtcd.signal,
  );
  const apiServer = answered(
    [
      'kube-apiserver',
      '--allow-privileged=true',
      '--authorization-mode=RBAC',
      '--bind-address=127.0.0.1',
      '--cert-dir=.',
      '--client-ca-file=apiserver.crt',
      '--disable-admission-plugins=ServiceAccount',
      `--etcd-servers=${etcdUrl}`,
      `--secure-port=${secure}`,
      `--service-account-issuer=https://127.0.0.1:${secure}/`,
      '--service-account-key-file=sa.pub',
      '--service-account-signing-key-file=sa.key',
      '--service-cluster-ip-range=10.0.0.0/24',
      '--token-auth-file=tokens.csv',
    ].filter((flag) => !flag.startsWith('--client-ca-file') || isCertified()),
    silent,
    stopApiServer.signal,
  );
  while ((await asked('GET', '/healthz')) !== 200)
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  await asked('GET', '/api/v1/namespaces/default');
  await asked('GET', '/apis');
  await asked('GET', `${configMaps}?limit=500`);
  await asked('POST', configMaps, { metadata: { name: 'one' }, data: { a: 'b' } });
  await asked('GET', `${configMaps}/one`);
  await asked('PUT', `${configMaps}/one`, { metadata: { name: 'one' }, data: { a: 'c' } });
  await asked('DELETE', `${configMaps}/one`);
  agent.destroy();
  stopApiServer.abort();
  await apiServer;
  stopEtcd.abort();
  await etcd;
}

function answered(
  args: readonly string[],
  out: { write(text: string): void },
  signal = new AbortController().signal,
): Promise<number> {
  return runServer(args, { out, err: silent, input: process.stdin, env: {}, signal });
}

function isCertified(): boolean {
  try {
    return readFileSync('apiserver.crt').length > 0;
  } catch {
    return false;
  }
}

function asked(method: string, url: string, body?: object): Promise<number> {
  return new Promise((resolve) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const sent = request({ port: secure, host: '127.0.0.1', method, path: url, agent, headers }, (answer) => {
      answer.resume();
      answer.on('end', () => resolve(answer.statusCode ?? 0));
    });
    sent.on('error', () => resolve(0));
    sent.end(body && JSON.stringify(body));
  });
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
