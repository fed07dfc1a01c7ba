/** An etcd, and API servers on it: the original's and ours, each a process of its own. */
import { generateKeyPairSync } from 'node:crypto';
import { spawn, type ChildProcess } from 'node:child_process';
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
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** Of the administrator. */
export const token = 'one-etcd-token';
const program = join(import.meta.dirname, '../../packages/coxswain/bin/coxswain.mjs');

/** Several servers may start at once, on machines that do other things besides. */
const readyMsMax = 180_000;

export interface Program {
  readonly process: ChildProcess;
  stop(): Promise<void>;
}

/** Where a program runs, and with what. */
export interface Place {
  /** What stands before the program's own command: how to enter its network. */
  readonly enter: readonly string[];
  /** At which this process reaches it. */
  readonly address: string;
  readonly env: Readonly<Record<string, string>>;
}

export const here: Place = { enter: [], address: '127.0.0.1', env: {} };

/** An etcd among others. */
export interface Member {
  readonly name: string;
  readonly peerUrl: string;
  /** `a=http://192.0.2.1:2380,b=…` */
  readonly cluster: string;
  readonly flags?: readonly string[];
}

function memberAlone(peerPort: number): Member {
  const peerUrl = `http://127.0.0.1:${peerPort}`;
  return { name: 'default', peerUrl, cluster: `default=${peerUrl}` };
}

export class Etcd {
  readonly url: string;
  readonly port: number;
  readonly #binary: string;
  readonly #place: Place;
  readonly #member: Member;
  readonly #directory = mkdtempSync(join(tmpdir(), 'coxswain-one-etcd-'));
  #running: Program | undefined;

  static async start(binary: string, place: Place = here): Promise<Etcd> {
    const etcd = new Etcd(binary, await freePort(), await freePort(), place);
    await etcd.start();
    return etcd;
  }

  constructor(
    binary: string,
    port: number,
    peerPort: number,
    place: Place,
    member: Member = memberAlone(peerPort),
  ) {
    this.#binary = binary;
    this.#place = place;
    this.#member = member;
    this.port = port;
    this.url = `http://${place.address}:${port}`;
  }

  get process(): ChildProcess {
    return this.#running!.process;
  }

  async start(): Promise<void> {
    const address = this.#place === here ? here.address : '0.0.0.0';
    const { name, peerUrl, cluster, flags = [] } = this.#member;
    this.#running = run(
      this.#place,
      this.#binary,
      [
        `--data-dir=${join(this.#directory, 'data')}`,
        `--listen-client-urls=http://${address}:${this.port}`,
        `--advertise-client-urls=${this.url}`,
        `--name=${name}`,
        `--listen-peer-urls=${peerUrl}`,
        `--initial-advertise-peer-urls=${peerUrl}`,
        `--initial-cluster=${cluster}`,
        '--log-level=error',
        ...flags,
      ],
      join(this.#directory, 'log'),
    );
    await until('etcd', async () => (await fetch(`${this.url}/health`)).ok);
  }

  /** Keeps what it holds now, for `putBack`. */
  async save(): Promise<void> {
    await this.#running!.stop();
    cpSync(join(this.#directory, 'data'), join(this.#directory, 'saved'), { recursive: true });
    await this.start();
  }

  /** As an administrator does with a backup: what was written since `save` is gone, and revisions come again. */
  async putBack(): Promise<void> {
    await this.kill();
    rmSync(join(this.#directory, 'data'), { recursive: true });
    renameSync(join(this.#directory, 'saved'), join(this.#directory, 'data'));
    await this.start();
  }

  kill(): Promise<void> {
    this.process.kill('SIGKILL');
    return this.#running!.stop();
  }

  async stop(): Promise<void> {
    await this.#running?.stop();
    rmSync(this.#directory, { recursive: true, force: true });
  }
}

export interface ServerOptions {
  /** None: a data directory of its own. */
  readonly etcd: readonly string[];
  /** Of the original; ours when absent. */
  readonly binary?: string | undefined;
  readonly place?: Place | undefined;
  readonly address: string;
  readonly flags?: readonly string[];
}

/** What a server is started again with. No binary is that of ours. */
export type Changed = { readonly binary?: string | undefined; readonly flags?: readonly string[] };

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
  readonly address: string;
  readonly #directory: string;
  readonly #launch: (changed?: Changed) => Program;
  #program: Program;

  private constructor(
    port: number,
    address: string,
    directory: string,
    launch: (changed?: Changed) => Program,
  ) {
    this.port = port;
    this.address = address;
    this.#directory = directory;
    this.#launch = launch;
    this.#program = launch();
  }

  static async start(options: ServerOptions): Promise<ApiServer> {
    const { etcd, address, place = here } = options;
    const directory = mkdtempSync(join(tmpdir(), 'coxswain-api-server-'));
    const port = await freePort();
    writeFileSync(join(directory, 'tokens.csv'), `${token},admin,1,"system:masters"\n`);
    const keyFile = join(import.meta.dirname, '../../node_modules/.cache/one-etcd.key');
    writeSharedKey(keyFile);
    const launch = ({ binary, flags = [] }: Changed = options) => {
      const args = [
        etcd.length > 0 ? `--etcd-servers=${etcd.join(',')}` : `--data-dir=${join(directory, 'data')}`,
        '--service-account-issuer=https://kubernetes.default.svc',
        `--service-account-signing-key-file=${keyFile}`,
        `--service-account-key-file=${keyFile}`,
        `--token-auth-file=${join(directory, 'tokens.csv')}`,
        '--authorization-mode=RBAC',
        '--service-cluster-ip-range=10.0.0.0/24',
        `--cert-dir=${join(directory, 'certificates')}`,
        `--secure-port=${port}`,
        `--advertise-address=${address}`,
        ...flags,
      ];
      const command = binary ?? process.execPath;
      const whole = binary === undefined ? [program, 'kube-apiserver', ...args] : args;
      return run(place, command, whole, join(directory, 'log'));
    };
    const server = new ApiServer(port, place.address, directory, launch);
    await server.ready();
    return server;
  }

  get process(): ChildProcess {
    return this.#program.process;
  }

  /** Resolves when it says so itself. */
  ready(): Promise<void> {
    return until(
      `the API server of ${this.#directory}`,
      async () => (await this.send('GET', '/readyz')).status === 200,
      readyMsMax,
    );
  }

  async kill(): Promise<void> {
    this.process.kill('SIGKILL');
    await this.#program.stop();
  }

  /** Told to end, it tells its clients. */
  leave(): Promise<void> {
    return this.#program.stop();
  }

  /** After `kill` or `leave`, with the same files; as it was, but for what is said. */
  async startAgain(changed?: Changed): Promise<void> {
    this.#program = this.#launch(changed);
    await this.ready();
  }

  /** @param idleMsMax how long nothing may come before the request is given up; for ever when absent */
  send(
    method: string,
    path: string,
    body?: unknown,
    type = 'application/json',
    idleMsMax = 0,
  ): Promise<Answer> {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const request = httpsRequest(
      {
        host: this.address,
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
        response.on('error', reject);
      },
    );
    request.setTimeout(idleMsMax, () => request.destroy(new Error(`no answer within ${idleMsMax} ms`)));
    request.on('error', reject);
    request.end(body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body));
    return promise;
  }

  /** The lines of a watch, until `isLast` says so. */
  async watch(path: string, isLast: (event: WatchedEvent) => boolean): Promise<WatchedEvent[]> {
    const events: WatchedEvent[] = [];
    const ending = new AbortController();
    const onEvent = (event: WatchedEvent): void => {
      events.push(event);
      if (isLast(event)) ending.abort();
    };
    await this.follow(path, onEvent, ending.signal);
    return events;
  }

  /** Calls `onEvent` with each line of a watch, until the server ends it, is silent or `signal` aborts; resolves with the status. */
  follow(
    path: string,
    onEvent: (event: WatchedEvent) => void,
    signal: AbortSignal,
    idleMsMax = 0,
  ): Promise<number> {
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    const request = httpsRequest(
      {
        host: this.address,
        port: this.port,
        path,
        rejectUnauthorized: false,
        headers: { authorization: `Bearer ${token}` },
      },
      (response) => {
        let rest = '';
        response.setEncoding('utf8').on('data', (chunk: string) => {
          const lines = (rest + chunk).split('\n');
          rest = lines.pop()!;
          for (const line of lines) if (!signal.aborted) onEvent(JSON.parse(line));
        });
        response.on('error', () => undefined);
        response.on('close', () => resolve(response.statusCode!));
      },
    );
    const stop = (): void => void request.destroy();
    signal.addEventListener('abort', stop, { once: true });
    request.setTimeout(idleMsMax, stop);
    request.on('error', (failure) => (signal.aborted ? resolve(0) : reject(failure)));
    request.on('close', () => signal.removeEventListener('abort', stop));
    request.end();
    return promise;
  }

  async stop(): Promise<void> {
    await this.#program.stop();
    rmSync(this.#directory, { recursive: true, force: true });
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

export function run(place: Place, program: string, args: readonly string[], logFile: string): Program {
  const [command = '', ...rest] = [...place.enter, program, ...args];
  const started = spawn(command, rest, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, COXSWAIN_FROM_SOURCE: '1', ...place.env },
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
      // One that is paused would not hear of it.
      started.kill('SIGCONT');
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

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise<void>((resolve) => void server.close(() => resolve()));
  return port;
}
