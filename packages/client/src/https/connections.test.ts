import { once } from 'node:events';
import { createSecureServer } from 'node:http2';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import 'reflect-metadata';
import * as x509 from '@peculiar/x509';
import { expect, onTestFinished, test, vi } from 'vitest';
import { Connections } from './connections.ts';

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

async function listeningServer(): Promise<number> {
  x509.cryptoProvider.set(crypto);
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const made = await x509.X509CertificateGenerator.createSelfSigned({ keys, signingAlgorithm: algorithm });
  const key = x509.PemConverter.encode(
    await crypto.subtle.exportKey('pkcs8', keys.privateKey),
    'PRIVATE KEY',
  );
  const server = createSecureServer({ key, cert: made.toString('pem') });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

test('a session that ends while the next one fails to open leaves no unhandled failure', async () => {
  const unhandled = vi.fn();
  process.on('unhandledRejection', unhandled);
  onTestFinished(() => void process.off('unhandledRejection', unhandled));
  const port = await listeningServer();
  const cutOff = Promise.withResolvers<Socket>();
  const dials = [async () => connect(port, '127.0.0.1'), () => cutOff.promise];
  const server = `https://127.0.0.1:${port}`;
  const connections = new Connections(new URL(server), {
    server,
    insecure: true,
    dial: () => dials.shift()!(),
  });
  const first = (await connections.session())!;
  connections.distrust(first);
  await setImmediate();
  const next = connections.session();
  await setImmediate();
  first.destroy();
  await once(first, 'close');
  cutOff.reject(new Error('connect EHOSTUNREACH'));

  await expect(next).rejects.toThrow('connect EHOSTUNREACH');
  await setImmediate();
  expect(unhandled).not.toHaveBeenCalled();
});
