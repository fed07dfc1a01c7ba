/** An etcd, and API servers on it: the original's and ours, each a process of its own. */
import { generateKeyPairSync } from 'node:crypto';
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import {
  cpSync,
  createWriteStream,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { request as httpsRequest } from 'node:https';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const token = 'one-etcd-token';
const program = join(import.meta.dirname, '../../packages/coxswain/bin/coxswain.mjs');

export interface Program {
  readonly process: ChildProcess;
  stop(): Promise<void>;
}

export class Etcd {
  readonly url: string;
  readonly #binary: string;
  readonly #folder = mkdtempSync(join(tmpdir(), 'coxswain-one-etcd-'));
  readonly #peerUrl: string;
  #running: Program | undefined;

  static async start(binary: string): Promise<Etcd> {
    const etcd = new Etcd(binary, await freePort(), await freePort());
    await etcd.start();
    return etcd;
  }

  constructor(binary: string, port: number, peerPort: number) {
    this.#binary = binary;
    this.url = `http://127.0.0.1:${port}`;
    this.#peerUrl = `http://127.0.0.1:${peerPort}`;
  }

  get process(): ChildProcess {
    return this.#running!.process;
  }

  async start(): Promise<void> {
    this.#running = run(
      this.#binary,
      [
        `--data-dir=${join(this.#folder, 'data')}`,
        `--listen-client-urls=${this.url}`,
        `--advertise-client-urls=${this.url}`,
        `--listen-peer-urls=${this.#peerUrl}`,
        `--initial-advertise-peer-urls=${this.#peerUrl}`,
        `--initial-cluster=default=${this.#peerUrl}`,
        '--log-level=error',
      ],
      join(this.#folder, 'log'),
    );
    await until('etcd', async () => (await fetch(`${this.url}/health`)).ok);
  }

  /** Keeps what it holds now, for `putBack`. */
  async save(): Promise<void> {
    await this.#running!.stop();
    cpSync(join(this.#folder, 'data'), join(this.#folder, 'saved'), { recursive: true });
    await this.start();
  }

  /** As an administrator does with a backup: what was written since `save` is gone, and revisions come again. */
  async putBack(): Promise<void> {
    await this.kill();
    rmSync(join(this.#folder, 'data'), { recursive: true });
    renameSync(join(this.#folder, 'saved'), join(this.#folder, 'data'));
    await this.start();
  }

  kill(): Promise<void> {
    this.process.kill('SIGKILL');
    return this.#running!.stop();
  }

  async stop(): Promise<void> {
    await this.#running?.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

export interface ServerOptions {
  readonly etcd: readonly string[];
  /** Of the original; ours when absent. */
  readonly binary?: string | undefined;
  readonly address: string;
  readonly flags?: readonly string[];
}

export interface WatchedEvent {
  readonly type: string;
  readonly object: unknown;
}

export interface Answer {
  readonly status: number;
  readonly text: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- an answer's fields are what a test is about
  readonly json: any;
}

export class ApiServer {
  readonly port: number;
  readonly #folder: string;
  readonly #program: Program;

  private constructor(port: number, folder: string, started: Program) {
    this.port = port;
    this.#folder = folder;
    this.#program = started;
  }

  static async start({ etcd, binary, address, flags = [] }: ServerOptions): Promise<ApiServer> {
    const folder = mkdtempSync(join(tmpdir(), 'coxswain-api-server-'));
    const port = await freePort();
    writeFileSync(join(folder, 'tokens.csv'), `${token},admin,1,"system:masters"\n`);
    const keyFile = join(import.meta.dirname, '../../node_modules/.cache/one-etcd.key');
    writeSharedKey(keyFile);
    const args = [
      `--etcd-servers=${etcd.join(',')}`,
      '--service-account-issuer=https://kubernetes.default.svc',
      `--service-account-signing-key-file=${keyFile}`,
      `--service-account-key-file=${keyFile}`,
      `--token-auth-file=${join(folder, 'tokens.csv')}`,
      '--authorization-mode=RBAC',
      '--service-cluster-ip-range=10.0.0.0/24',
      `--cert-dir=${join(folder, 'certificates')}`,
      `--secure-port=${port}`,
      `--advertise-address=${address}`,
      ...flags,
    ];
    const command = binary ?? process.execPath;
    const started = run(
      command,
      binary === undefined ? [program, 'kube-apiserver', ...args] : args,
      join(folder, 'log'),
    );
    const server = new ApiServer(port, folder, started);
    await until(
      `the API server of ${folder}`,
      async () => (await server.send('GET', '/readyz')).status === 200,
    );
    return server;
  }

  get processId(): number {
    return this.#program.process.pid!;
  }

  send(method: string, path: string, body?: unknown, type = 'application/json'): Promise<Answer> {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const request = httpsRequest(
      {
        host: '127.0.0.1',
        port: this.port,
        method,
        path,
        rejectUnauthorized: false,
        headers: { authorization: `Bearer ${token}`, accept: 'application/json', 'content-type': type },
      },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
        response.on('end', () => resolve({ status: response.statusCode!, text, json: parsed(text) }));
      },
    );
    request.on('error', reject);
    request.end(body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body));
    return promise;
  }

  /** The lines of a watch, until `isLast` says so. */
  watch(path: string, isLast: (event: WatchedEvent) => boolean): Promise<WatchedEvent[]> {
    const { promise, resolve, reject } = Promise.withResolvers<WatchedEvent[]>();
    const events: WatchedEvent[] = [];
    const request = httpsRequest(
      {
        host: '127.0.0.1',
        port: this.port,
        path,
        rejectUnauthorized: false,
        headers: { authorization: `Bearer ${token}` },
      },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => {
          const lines = (text + chunk).split('\n');
          text = lines.pop()!;
          for (const line of lines) events.push(JSON.parse(line));
          if (events.some(isLast)) {
            request.destroy();
            resolve(events);
          }
        });
        response.on('end', () => resolve(events));
      },
    );
    request.on('error', reject);
    request.end();
    return promise;
  }

  async stop(): Promise<void> {
    await this.#program.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

let sharedKey: string | undefined;

/** Tokens of one server are those of the others. */
function writeSharedKey(file: string): void {
  sharedKey ??= generateKeyPairSync('rsa', { modulusLength: 2048 })
    .privateKey.export({ type: 'pkcs1', format: 'pem' })
    .toString();
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, sharedKey);
}

function run(command: string, args: readonly string[], logFile: string): Program {
  const started = spawn(command, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, COXSWAIN_FROM_SOURCE: '1' },
  });
  const log = createWriteStream(
    process.env.ONE_ETCD_LOG ? join(tmpdir(), `one-etcd-${started.pid}.log`) : logFile,
  );
  started.stdout.pipe(log);
  started.stderr.pipe(log);
  const ended = new Promise<void>((resolve) => void started.on('close', () => resolve()));
  return {
    process: started,
    async stop() {
      started.kill('SIGTERM');
      const timer = setTimeout(() => started.kill('SIGKILL'), 15_000);
      await ended;
      clearTimeout(timer);
    },
  };
}

export async function until(what: string, isSo: () => Promise<boolean>, msMax = 60_000): Promise<void> {
  const endMs = performance.now() + msMax;
  while (performance.now() < endMs) {
    if (await isSo().catch(() => false)) return;
    await new Promise<void>((resolve) => void setTimeout(resolve, 100));
  }
  throw new Error(`${what}: not within ${msMax} ms`);
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise<void>((resolve) => void server.close(() => resolve()));
  return port;
}
