import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { TLSSocket } from 'node:tls';
import { seededRandom, systemClock } from '@coxswain/apimachinery';
import type { AuditEvent } from '@coxswain/apiserver/audit/audit-event.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { CertificateAuthority } from '../../../../test/attack/certificate-authority.ts';
import { kubeconfigWebhooks } from '../kubeconfig-webhook.ts';
import type { AuditFlags } from './audit-flags.ts';
import { webhookBackendOf } from './webhook-backend-of-flags.ts';

interface Posted {
  readonly path: string | undefined;
  /** The common name of the sender's certificate. */
  readonly sender: string | undefined;
  readonly list: { readonly kind: string; readonly items: readonly { readonly auditID: string }[] };
}

let directory: string;
let authority: CertificateAuthority;
let server: Server | undefined;
let posted: Posted[];
let codes: number[];

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'audit-webhook-'));
  authority = await CertificateAuthority.create('audit');
  posted = [];
  codes = [];
});
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
  rmSync(directory, { recursive: true });
});

/** A collector that responds with `codes` in order, then with 200. */
async function collector(): Promise<number> {
  const identity = await authority.issue({ name: 'CN=localhost', usage: 'server', dnsNames: ['localhost'] });
  server = createServer({ ...identity, ca: authority.pem, requestCert: true }, (request, response) => {
    void text(request).then((body) => {
      const sender = (request.socket as TLSSocket).getPeerCertificate().subject?.CN;
      posted.push({ path: request.url, sender: String(sender), list: JSON.parse(body) });
      response.writeHead(codes.shift() ?? 200).end();
    });
  });
  await new Promise<void>((resolve) => void server!.listen(0, 'localhost', resolve));
  return (server.address() as AddressInfo).port;
}

async function backendTo(port: number, trusted: CertificateAuthority) {
  const client = await authority.issue({ name: 'CN=auditor' });
  const file = join(directory, 'webhook.yaml');
  const base64 = (pem: string) => Buffer.from(pem).toString('base64');
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'c',
    contexts: [{ name: 'c', context: { cluster: 'c', user: 'c' } }],
    clusters: [
      {
        name: 'c',
        cluster: {
          server: `https://localhost:${port}/collect`,
          'certificate-authority-data': base64(trusted.pem),
        },
      },
    ],
    users: [
      {
        name: 'c',
        user: { 'client-certificate-data': base64(client.cert), 'client-key-data': base64(client.key) },
      },
    ],
  };
  writeFileSync(file, JSON.stringify(config), { mode: 0o600 });
  const flags = {
    auditWebhookConfigFile: file,
    auditWebhookMode: 'blocking-strict',
    auditWebhookInitialBackoff: 1,
  } as Partial<AuditFlags> as AuditFlags;
  const nothing = () => undefined;
  const make = webhookBackendOf(flags, {
    clock: systemClock,
    log: nothing,
    print: nothing,
    connect: kubeconfigWebhooks(),
  })!;
  const lost: string[] = [];
  const backend = make({
    clock: systemClock,
    random: seededRandom(1),
    lost: (_plugin, problem, events) => lost.push(`${events.length}: ${problem}`),
    lostLines: nothing,
  });
  return { backend, lost };
}

const eventOf = (auditId: string) =>
  ({
    level: 'Metadata',
    auditId,
    stage: 'ResponseComplete',
    requestUri: '/api',
    verb: 'get',
    impersonationConstraint: '',
    sourceIps: [],
    userAgent: '',
    receivedAtMs: 0,
    stageAtMs: 0,
  }) as unknown as AuditEvent;

test('events are posted as a list, with the certificate of the kubeconfig, again after a failure', async () => {
  const { backend, lost } = await backendTo(await collector(), authority);
  codes = [503, 500];

  expect(await backend.process([eventOf('a'), eventOf('b')])).toBe(true);

  expect(posted).toHaveLength(3);
  expect(posted[2]).toMatchObject({
    path: '/collect?timeout=30s',
    sender: 'auditor',
    list: { kind: 'EventList', items: [{ auditID: 'a' }, { auditID: 'b' }] },
  });
  expect(lost).toEqual([]);
});

test('events that a collector refuses five times are lost and logged', async () => {
  const { backend, lost } = await backendTo(await collector(), authority);
  codes = [500, 500, 500, 500, 500];

  expect(await backend.process([eventOf('a')])).toBe(false);

  expect(posted).toHaveLength(5);
  expect(lost).toHaveLength(1);
  expect(lost[0]).toMatch(/^1: /);
});

test('a collector with an untrusted certificate gets nothing', async () => {
  const stranger = await CertificateAuthority.create('stranger');
  const { backend, lost } = await backendTo(await collector(), stranger);

  expect(await backend.process([eventOf('a')])).toBe(false);

  expect(posted).toEqual([]);
  expect(lost).toHaveLength(1);
});
