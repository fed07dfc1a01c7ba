/** A whole server on a port of its own, as an operator would run it, and ways to send it what no client would. */
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request as httpsRequest, type RequestOptions } from 'node:https';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { connect as tlsConnect, type TLSSocket } from 'node:tls';
import { createKubeApiServer, type KubeApiServer } from '@coxswain/kube-apiserver/create.ts';
import { CertificateAuthority, type Identity } from './certificate-authority.ts';

export interface AttackedServer {
  readonly server: KubeApiServer;
  readonly port: number;
  readonly directory: string;
  readonly users: CertificateAuthority;
  readonly proxies: CertificateAuthority;
  /** PEM of what tokens of service accounts are signed with, and verified by. */
  readonly signingKey: string;
  readonly verifyingKey: string;
  readonly logged: readonly string[];
  send(options: Sent): Promise<Answer>;
  /** A connection that speaks what it likes. */
  connect(protocol: 'h2' | 'http/1.1', identity?: Identity): Promise<TLSSocket>;
  stop(): Promise<void>;
}

export interface Sent {
  readonly path: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string | Uint8Array;
  readonly identity?: Identity;
  /** One of the token file: `admin` or `alice`, who may do nothing. */
  readonly as?: 'admin' | 'alice';
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
}

export async function attackedServer(): Promise<AttackedServer> {
  const directory = mkdtempSync(path.join(tmpdir(), 'attack-'));
  const file = (name: string, text: string) => {
    writeFileSync(path.join(directory, name), text, { mode: 0o600 });
    return path.join(directory, name);
  };
  const [users, proxies] = await Promise.all([
    CertificateAuthority.create('users'),
    CertificateAuthority.create('proxies'),
  ]);
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const signingKey = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const verifyingKey = publicKey.export({ type: 'spki', format: 'pem' }).toString();
  const logged: string[] = [];
  const server = await createKubeApiServer({
    securePort: 0,
    certDir: directory,
    clientCaFile: file('users.pem', users.pem),
    authorizationModes: ['RBAC'],
    serviceAccountSigningKeyFile: file('signing.pem', signingKey),
    serviceAccountKeyFiles: [file('verifying.pem', verifyingKey)],
    serviceAccountIssuers: [issuer],
    authenticationFlags: {
      tokenAuthFile: file('tokens.csv', 'admin-token,admin,1,"system:masters"\nalice-token,alice,2,"dev"\n'),
      requestHeader: {
        clientCaFile: file('proxies.pem', proxies.pem),
        allowedNames: ['front-proxy'],
        usernameHeaders: ['X-Remote-User'],
        uidHeaders: ['X-Remote-Uid'],
        groupHeaders: ['X-Remote-Group'],
        extraHeaderPrefixes: ['X-Remote-Extra-'],
      },
    },
    log: (line) => logged.push(line),
  });
  const port = Number(new URL(server.address!).port);
  const target = { host: '127.0.0.1', port, rejectUnauthorized: false };
  return {
    server,
    port,
    directory,
    users,
    proxies,
    signingKey,
    verifyingKey,
    logged,
    send: (sent) => answered({ ...target, ...options(sent) }, sent.body),
    connect: (protocol, identity) =>
      new Promise((resolve, reject) => {
        const socket = tlsConnect({ ...target, ...identity, ALPNProtocols: [protocol] }, () =>
          resolve(socket),
        );
        socket.on('error', reject);
      }),
    async stop() {
      await server.stop();
      rmSync(directory, { recursive: true });
    },
  };
}

export const issuer = 'https://kubernetes.default.svc';

const options = ({ path: sentPath, method = 'GET', headers = {}, identity, as }: Sent) => ({
  path: sentPath,
  method,
  ...identity,
  agent: false as const,
  maxHeaderSize: 1024 * 1024,
  headers: {
    'content-type': 'application/json',
    ...(as === undefined ? {} : { authorization: `Bearer ${as}-token` }),
    ...headers,
  } as Record<string, string | string[]>,
});

function answered(asked: RequestOptions, body: string | Uint8Array | undefined): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = httpsRequest(asked, (response) => {
      const chunks: Uint8Array[] = [];
      response.on('data', (chunk: Uint8Array) => chunks.push(chunk));
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: Buffer.concat(chunks).toString(),
        }),
      );
      response.on('error', reject);
    });
    request.on('error', reject);
    request.end(body);
  });
}

const reviewPath = '/apis/authentication.k8s.io/v1/selfsubjectreviews';

/** Whom the server takes somebody for; undefined when it lets nobody in. */
export async function whoIs(
  { send }: AttackedServer,
  sent: Omit<Sent, 'path'>,
): Promise<{ username?: string; groups?: readonly string[]; extra?: Record<string, unknown> } | undefined> {
  const body = JSON.stringify({ apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' });
  const { status, text } = await send({ ...sent, path: reviewPath, method: 'POST', body });
  if (status !== 201) return undefined;
  return (JSON.parse(text) as { status: { userInfo: object } }).status.userInfo;
}
