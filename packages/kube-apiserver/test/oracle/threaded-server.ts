/** The program with several threads, over sockets: each request may reach another thread than the previous one. */
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { OutgoingHttpHeaders } from 'node:http';
import { Agent, request } from 'node:https';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Transport } from '@coxswain/client/transport.ts';
import { runKubeApiServer } from '../../src/command.ts';
import { CertificateAuthority } from '../../../../test/attack/certificate-authority.ts';
import type { Area } from './case.ts';
import { documentationAddress, tokenCsv, type ReplayedServer } from './replay.ts';

export interface ProgramOnThreads {
  /** `https://127.0.0.1:6443` */
  readonly address: string;
  /** Its log so far. */
  readonly log: () => string;
  stop(): Promise<void>;
}

/** Resolves when it serves. */
export function startedProgram(args: readonly string[]): Promise<ProgramOnThreads> {
  const abort = new AbortController();
  let log = '';
  return new Promise((resolve, reject) => {
    const ended = runKubeApiServer(['--bind-address=127.0.0.1', '--secure-port=0', ...args], {
      out: { write: () => undefined },
      err: {
        write(text: string) {
          log += text;
          const [, address] = /serving on (https:\S+)/.exec(log) ?? [];
          if (address !== undefined) resolve({ address, log: () => log, stop });
        },
      },
      signal: abort.signal,
    } as never);
    const stop = async () => {
      abort.abort();
      await ended;
    };
    ended.then(() => reject(new Error(log)), reject);
  });
}

/** A server as the recordings require it, on three threads. */
export async function threadedServer(flags: Area['server']): Promise<ReplayedServer> {
  const directory = mkdtempSync(path.join(tmpdir(), 'oracle-threads-'));
  const file = (name: string, text: string) => {
    writeFileSync(path.join(directory, name), text, { mode: 0o600 });
    return path.join(directory, name);
  };
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const keys = file('sa.key', privateKey.export({ type: 'pkcs8', format: 'pem' }).toString());
  const program = await startedProgram([
    '--threads=3',
    `--advertise-address=${documentationAddress}`,
    `--cert-dir=${directory}`,
    `--client-ca-file=${file('ca.crt', (await CertificateAuthority.create('recorded')).pem)}`,
    `--token-auth-file=${file('tokens.csv', tokenCsv())}`,
    '--authorization-mode=RBAC',
    '--service-account-issuer=https://kubernetes.default.svc',
    `--service-account-key-file=${keys}`,
    `--service-account-signing-key-file=${keys}`,
    '--disable-admission-plugins=ServiceAccount',
    '--allow-privileged=true',
    ...Object.entries({ 'service-cluster-ip-range': '10.0.0.0/24', ...flags }).map(
      ([name, value]) => `--${name}=${String(value)}`,
    ),
  ]);
  const { port } = new URL(program.address);
  const transport = connectionsInTurn(program.address);
  return {
    transport: {
      ...transport,
      async send(asked) {
        const answer = await transport.send(asked);
        // The recorded server's port is the default one.
        const usual = async () => withUsualPort(await answer.bytes(), port);
        return { ...answer, bytes: usual };
      },
    },
    async stop() {
      await program.stop();
      rmSync(directory, { recursive: true });
    },
  };
}

function withUsualPort(bytes: Uint8Array, port: string): Uint8Array {
  const text = Buffer.from(bytes).toString('latin1');
  const own = `${documentationAddress}:${port}`;
  return text.includes(own)
    ? Buffer.from(text.replaceAll(own, `${documentationAddress}:6443`), 'latin1')
    : bytes;
}

/** Headers and bytes unchanged, over several connections in turn, and so on every thread. */
export function connectionsInTurn(server: string): Transport {
  const agents = Array.from({ length: 6 }, () => new Agent({ rejectUnauthorized: false, keepAlive: true }));
  let requests = 0;
  const { hostname, port } = new URL(server);
  return {
    structured: false,
    address: server,
    close: () => Promise.resolve(agents.forEach((agent) => agent.destroy())),
    send: ({ method, path: target, headers, body, signal }) =>
      new Promise((resolve, reject) => {
        const agent = agents[requests++ % agents.length]!;
        const sent = request(
          { hostname, port, path: target, method, headers: headers as OutgoingHttpHeaders, agent, signal },
          (response) => {
            const stream = async function* () {
              for await (const chunk of response) yield chunk as Uint8Array;
            };
            resolve({
              status: response.statusCode!,
              headers: headersOf(response.rawHeaders),
              bytes: async () => Buffer.concat(await Array.fromAsync(stream())),
              stream,
            });
          },
        );
        sent.on('error', reject);
        sent.end(body as Uint8Array | undefined);
      }),
  };
}

/** A repeated header has several values. */
function headersOf(raw: readonly string[]): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = {};
  for (let at = 0; at < raw.length; at += 2) {
    const name = raw[at]!.toLowerCase();
    const value = Buffer.from(raw[at + 1]!, 'latin1').toString();
    const before = headers[name];
    headers[name] = before === undefined ? value : [before, value].flat();
  }
  return headers;
}
