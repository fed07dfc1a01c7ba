/** A server whose certificate and whose users' authority are replaced while it serves. */
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createKubeApiServer } from '@coxswain/kube-apiserver/create.ts';
import { CertificateAuthority, type Identity } from '../attack/certificate-authority.ts';
import { startProcess } from './server-process.ts';

/** How the server goes. */
export interface Leaving {
  readonly sendsRetryAfter: boolean;
  readonly watchTerminationMs: number;
  readonly shutdownDelayMs: number;
}

/** The files by which the server shows itself and knows its users. */
export interface IdentityFiles {
  readonly directory: string;
  readonly tlsCertFile: string;
  readonly tlsPrivateKeyFile: string;
  readonly clientCaFile: string;
}

export interface RunningServer {
  readonly port: number;
  /** Resolves when the server has gone, as it was told to. */
  stop(): Promise<void>;
}

export interface RotatedServer extends RunningServer {
  /** What clients show: of the newest authority that the server has. */
  identity(): Identity;
  /** A new serving certificate, and a new authority: first beside the old one, then alone. */
  rotate(settled: () => Promise<void>): Promise<void>;
  remove(): void;
}

export type StartServer = (files: IdentityFiles, leaving: Leaving) => Promise<RunningServer>;

const administrator = 'CN=admin,O=system:masters';

export async function rotatedServer(start: StartServer, leaving: Leaving): Promise<RotatedServer> {
  const directory = mkdtempSync(path.join(tmpdir(), 'soak-'));
  const file = (name: string) => path.join(directory, name);
  // Exchanged as a whole, as mounted secrets are: nobody reads half a file.
  const write = (name: string, text: string) => {
    writeFileSync(file(`${name}.new`), text, { mode: 0o600 });
    renameSync(file(`${name}.new`), file(name));
  };
  let authority = await CertificateAuthority.create('users 1');
  let identity = await authority.issue({ name: administrator });
  const writeServing = async () => {
    const { cert, key } = await authority.issue({ name: 'CN=localhost', usage: 'server' });
    write('tls.key', key);
    write('tls.crt', cert);
  };
  await writeServing();
  write('ca.crt', authority.pem);
  const files = {
    directory,
    tlsCertFile: file('tls.crt'),
    tlsPrivateKeyFile: file('tls.key'),
    clientCaFile: file('ca.crt'),
  };
  const { port, stop } = await start(files, leaving);
  return {
    port,
    stop,
    identity: () => identity,
    async rotate(settled) {
      const next = await CertificateAuthority.create('users 2');
      write('ca.crt', `${authority.pem}\n${next.pem}`);
      await settled();
      authority = next;
      identity = await next.issue({ name: administrator });
      await writeServing();
      await settled();
      write('ca.crt', next.pem);
      await settled();
    },
    remove: () => rmSync(directory, { recursive: true }),
  };
}

export const inThisProcess: StartServer = async ({ directory: _directory, ...files }, leaving) => {
  const server = await createKubeApiServer({ securePort: 0, bindAddress: '127.0.0.1', ...files, ...leaving });
  return { port: Number(new URL(server.address!).port), stop: () => server.stop() };
};

/** The program, which stops when it is sent SIGTERM. */
export const asProgram: StartServer = (files, leaving) =>
  startProcess(files.directory, [
    `--tls-cert-file=${files.tlsCertFile}`,
    `--tls-private-key-file=${files.tlsPrivateKeyFile}`,
    `--client-ca-file=${files.clientCaFile}`,
    `--shutdown-send-retry-after=${leaving.sendsRetryAfter}`,
    `--shutdown-delay-duration=${leaving.shutdownDelayMs}ms`,
    `--shutdown-watch-termination-grace-period=${leaving.watchTerminationMs}ms`,
  ]);
