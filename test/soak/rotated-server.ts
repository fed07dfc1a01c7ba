/** A server whose certificate and whose users' authority are replaced while it serves. */
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createKubeApiServer } from '@coxswain/kube-apiserver/create.ts';
import type { KubeApiServer, KubeApiServerSettings } from '@coxswain/kube-apiserver/create.ts';
import { CertificateAuthority } from '../attack/certificate-authority.ts';
import type { Identity } from '../attack/certificate-authority.ts';

export interface RotatedServer {
  readonly server: KubeApiServer;
  readonly port: number;
  /** What clients show: of the newest authority that the server has. */
  identity(): Identity;
  /** A new serving certificate, and a new authority: first beside the old one, then alone. */
  rotate(settled: () => Promise<void>): Promise<void>;
  remove(): void;
}

const administrator = 'CN=admin,O=system:masters';

export async function rotatedServer(settings: Partial<KubeApiServerSettings> = {}): Promise<RotatedServer> {
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
  const server = await createKubeApiServer({
    securePort: 0,
    bindAddress: '127.0.0.1',
    tlsCertFile: file('tls.crt'),
    tlsPrivateKeyFile: file('tls.key'),
    clientCaFile: file('ca.crt'),
    ...settings,
  });
  return {
    server,
    port: Number(new URL(server.address!).port),
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
