/** A kube-apiserver as a process of its own, whose past and whose events are short, so that they are soon level. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request as httpsRequest } from 'node:https';
import type { IncomingMessage } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface SoakServer {
  readonly processId: number;
  readonly directory: string;
  send(method: string, path: string, body?: object, contentType?: string): Promise<SoakAnswer>;
  /** Calls `onLine` with each line, until the server ends the watch or `signal` aborts. */
  watch(path: string, onLine: (line: string) => void, signal: AbortSignal): Promise<number>;
  stop(): Promise<void>;
}

export interface SoakAnswer {
  readonly status: number;
  // oxlint-disable-next-line typescript/no-explicit-any -- whatever a server answers
  readonly body: any;
}

const program = join(import.meta.dirname, '../../packages/coxswain/bin/coxswain.mjs');
const startMsMax = 60_000;

export async function startSoakServer(): Promise<SoakServer> {
  const root = mkdtempSync(join(tmpdir(), 'coxswain-soak-'));
  const directory = join(root, 'data');
  const port = await freePort();
  writeFileSync(join(root, 'tokens.csv'), 'soak-token,soak,soak,"system:masters"\n', { mode: 0o600 });
  const flags = [
    `--data-dir=${directory}`,
    `--secure-port=${port}`,
    `--cert-dir=${root}`,
    `--token-auth-file=${join(root, 'tokens.csv')}`,
    '--etcd-compaction-interval=20s',
    '--event-ttl=40s',
    '--min-request-timeout=30',
  ];
  const env = { ...process.env, COXSWAIN_FROM_SOURCE: '1' };
  const stdio = ['ignore', 'ignore', 'inherit'] as const;
  const child = spawn(process.execPath, [program, 'kube-apiserver', '--v=0', ...flags], {
    stdio: [...stdio],
    env,
  });
  const ended = new Promise<void>((resolve) => void child.once('close', () => resolve()));
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const open = (method: string, path: string, type: string): ReturnType<typeof httpsRequest> =>
    httpsRequest({
      host: '127.0.0.1',
      port,
      method,
      path,
      agent,
      rejectUnauthorized: false,
      headers: { authorization: 'Bearer soak-token', 'content-type': type },
    });
  const send: SoakServer['send'] = (method, path, body, type = 'application/json') =>
    new Promise((resolve, reject) => {
      const request = open(method, path, type);
      request.on('error', reject);
      request.on('response', (response) => {
        textOf(response).then((text) => {
          resolve({ status: response.statusCode!, body: text.startsWith('{') ? JSON.parse(text) : text });
        }, reject);
      });
      request.end(body === undefined ? undefined : JSON.stringify(body));
    });
  const untilMs = performance.now() + startMsMax;
  while ((await send('GET', '/readyz').catch(() => undefined))?.status !== 200) {
    if (performance.now() > untilMs) throw new Error('the server does not become ready');
    await new Promise<void>((resolve) => void setTimeout(resolve, 100));
  }
  return {
    processId: child.pid!,
    directory,
    send,
    watch: (path, onLine, signal) => follow(open('GET', path, 'application/json'), onLine, signal),
    async stop() {
      agent.destroy();
      child.kill('SIGTERM');
      await ended;
      rmSync(root, { recursive: true });
    },
  };
}

function follow(
  request: ReturnType<typeof httpsRequest>,
  onLine: (line: string) => void,
  signal: AbortSignal,
): Promise<number> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => request.destroy(), { once: true });
    request.on('error', (failure) => (signal.aborted ? resolve(0) : reject(failure)));
    request.on('response', (response) => {
      let rest = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        const lines = (rest + chunk).split('\n');
        rest = lines.pop()!;
        for (const line of lines) onLine(line);
      });
      response.on('error', () => undefined);
      response.on('close', () => resolve(response.statusCode!));
    });
    request.end();
  });
}

async function textOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => void probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise<void>((resolve) => void probe.close(() => resolve()));
  return port;
}
