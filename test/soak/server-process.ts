/** The program kube-apiserver, from its start until it has followed SIGTERM. */
import { spawn } from 'node:child_process';
import { request } from 'node:https';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { RunningServer } from './rotated-server.ts';

const program = join(import.meta.dirname, '../../packages/coxswain/bin/coxswain.mjs');
const startMsMax = 60_000;
const askAgainMs = 100;

/** @throws Error when it ends before it is ready, or takes too long */
export async function startProcess(directory: string, flags: readonly string[]): Promise<RunningServer> {
  const port = await freePort();
  const args = [
    program,
    'kube-apiserver',
    `--secure-port=${port}`,
    '--bind-address=127.0.0.1',
    `--cert-dir=${directory}`,
    ...flags,
  ];
  const env = { ...process.env, COXSWAIN_FROM_SOURCE: '1' };
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'ignore'], env });
  const ended = new Promise<number | null>((resolve) => void child.once('exit', resolve));
  const untilMs = performance.now() + startMsMax;
  while (!(await isReady(port))) {
    if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode}`);
    if (performance.now() > untilMs) {
      child.kill('SIGKILL');
      throw new Error('the server does not become ready');
    }
    await new Promise<void>((resolve) => void setTimeout(resolve, askAgainMs));
  }
  return {
    port,
    async stop() {
      child.kill('SIGTERM');
      const code = await ended;
      if (code !== 0) throw new Error(`the server ended with ${code}`);
    },
  };
}

const isReady = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const asked = request({
      host: '127.0.0.1',
      port,
      path: '/readyz',
      rejectUnauthorized: false,
      agent: false,
    });
    asked.on('error', () => resolve(false));
    asked.on('response', (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    asked.end();
  });

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
