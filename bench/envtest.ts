/**
 * How long tests wait for their control plane: `etcd` and `kube-apiserver` are started as controller-runtime's envtest
 * starts them (each asked for `--help`, then /health, /healthz and the namespace `default`), the original's out of
 * `PEERS_BIN` and ours out of `--assets` (what `coxswain assets` prints) in turns, `--rounds` times.
 *
 * Told are the time that passes, the processor time of all four processes, and the memory of the servers when ready.
 */
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request as plainRequest } from 'node:http';
import { Agent, request as secureRequest } from 'node:https';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { selfSigned } from '../packages/apiserver/src/testing/self-signed.ts';
import { freePort, peersDirectory } from './real-server.ts';

const { values: options } = parseArgs({
  options: { assets: { type: 'string', default: '' }, rounds: { type: 'string', default: '5' } },
});

/** The intervals that envtest uses. */
const healthPollMs = 100;
const namespacePollMs = 50;
const startMsMax = 60_000;

interface Figures {
  readonly ms: number;
  readonly cpuMs: number;
  readonly memoryMb: number;
}

const insecure = new Agent({ rejectUnauthorized: false });
const authority = await selfSigned('envtest-environment');
const serving = await selfSigned();
const administrator = Buffer.from('envtest-token').toString();

async function startedOnce(directory: string): Promise<Figures> {
  const own = await mkdtemp(path.join(tmpdir(), 'coxswain-envtest-'));
  const file = (name: string): string => path.join(own, name);
  const [clients, peers, secure] = await Promise.all([freePort(), freePort(), freePort()]);
  await Promise.all([
    writeFile(file('apiserver.crt'), serving.cert),
    writeFile(file('apiserver.key'), serving.key),
    writeFile(file('client-cert-auth-ca.crt'), authority.cert),
    writeFile(file('sa-signer.crt'), authority.cert),
    writeFile(file('sa-signer.key'), authority.key),
    writeFile(file('tokens.csv'), `${administrator},envtest,envtest,system:masters\n`),
  ]);
  const etcdUrl = `http://127.0.0.1:${clients}`;
  const server = `https://127.0.0.1:${secure}`;
  const [start, cpuBefore] = [performance.now(), waitedCpuMs()];
  const help = await promisify(execFile)(path.join(directory, 'etcd'), ['--help']);
  const etcd = started(path.join(directory, 'etcd'), [
    `--advertise-client-urls=${etcdUrl}`,
    `--data-dir=${file('etcd')}`,
    `--listen-client-urls=${etcdUrl}`,
    `--listen-peer-urls=http://127.0.0.1:${peers}`,
    ...(/^\s*--unsafe-no-fsync\b/m.test(help.stdout + help.stderr) ? ['--unsafe-no-fsync=true'] : []),
  ]);
  await polled(`${etcdUrl}/health`, healthPollMs);
  await promisify(execFile)(path.join(directory, 'kube-apiserver'), ['--help'], { maxBuffer: 1 << 24 });
  const apiServer = started(path.join(directory, 'kube-apiserver'), [
    '--allow-privileged=true',
    '--authorization-mode=RBAC',
    '--bind-address=127.0.0.1',
    `--cert-dir=${own}`,
    `--client-ca-file=${file('client-cert-auth-ca.crt')}`,
    '--disable-admission-plugins=ServiceAccount',
    `--etcd-servers=${etcdUrl}`,
    `--secure-port=${secure}`,
    `--service-account-issuer=${server}/`,
    `--service-account-key-file=${file('sa-signer.crt')}`,
    `--service-account-signing-key-file=${file('sa-signer.key')}`,
    '--service-cluster-ip-range=10.0.0.0/24',
    // For a client certificate, which takes equally long to create on both sides.
    `--token-auth-file=${file('tokens.csv')}`,
  ]);
  await polled(`${server}/healthz`, healthPollMs);
  await polled(`${server}/api/v1/namespaces/default`, namespacePollMs);
  const ms = performance.now() - start;
  const running = [etcd, apiServer].map(({ pid }) => String(pid));
  const cpuMs = waitedCpuMs() - cpuBefore + sum(running.map(cpuMsOf));
  const memoryMb = sum(running.map(residentMb));
  for (const child of [apiServer, etcd]) await ended(child);
  await rm(own, { recursive: true, force: true });
  return { ms, cpuMs, memoryMb };
}

const started = (program: string, args: readonly string[]): ChildProcess =>
  spawn(program, args, { stdio: 'ignore' });

async function ended(child: ChildProcess): Promise<void> {
  const exit = once(child, 'exit');
  child.kill();
  await exit;
}

/** @throws Error if the status does not become 200 */
async function polled(url: string, intervalMs: number): Promise<void> {
  const end = performance.now() + startMsMax;
  while ((await statusOf(url)) !== 200) {
    if (performance.now() > end) throw new Error(`${url} is not answered`);
    await new Promise((resolve) => setTimeout(resolve, intervalMs));
  }
}

const statusOf = (url: string): Promise<number> =>
  new Promise((resolve) => {
    const headers = { authorization: `Bearer ${administrator}` };
    const sent = url.startsWith('https:')
      ? secureRequest(url, { agent: insecure, headers })
      : plainRequest(url);
    sent.on('response', (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    });
    sent.on('error', () => resolve(0));
    sent.end();
  });

const statFields = (pid: string): readonly number[] =>
  readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ').map(Number);
/** A tick of Linux's accounting is 10 ms. */
const cpuMsOf = (pid: string): number => (statFields(pid)[11]! + statFields(pid)[12]!) * 10;
/** The time of child processes that have exited. */
const waitedCpuMs = (): number => (statFields('self')[13]! + statFields('self')[14]!) * 10;
const residentMb = (pid: string): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024;
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

function reported(name: string, all: readonly Figures[]): void {
  const median = (of: (figures: Figures) => number): string =>
    all
      .map(of)
      .sort((a, b) => a - b)
      [Math.floor(all.length / 2)]!.toFixed(0);
  const best = Math.min(...all.map(({ ms }) => ms)).toFixed(0);
  console.log(
    `${name}: ${median(({ ms }) => ms)} ms (best ${best}), ${median(({ cpuMs }) => cpuMs)} ms CPU, ` +
      `${median(({ memoryMb }) => memoryMb)} MB`,
  );
}

const sides = { original: peersDirectory, coxswain: options.assets };
const figures: Record<string, Figures[]> = { original: [], coxswain: [] };
for (let round = 0; round < Number(options.rounds); round++) {
  for (const [name, directory] of Object.entries(sides)) {
    if (directory !== '') figures[name]!.push(await startedOnce(directory));
  }
}
for (const [name, all] of Object.entries(figures)) if (all.length > 0) reported(name, all);
insecure.destroy();
