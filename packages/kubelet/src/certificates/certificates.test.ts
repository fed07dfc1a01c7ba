import { webcrypto } from 'node:crypto';
import { lstatSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import 'reflect-metadata';
import { ManualClock } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import {
  createClient,
  type Transport,
  type TransportRequest,
  type TransportResponse,
} from '@coxswain/client';
import { X509CertificateGenerator, Pkcs10CertificateRequest, cryptoProvider } from '@peculiar/x509';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { CertificateManager, rotationMs } from './certificate-manager.ts';
import { CertificateStore, storedCertificate } from './certificate-store.ts';
import {
  clientTemplate,
  newKey,
  satisfies,
  servingTemplate,
  signingRequest,
} from './certificate-template.ts';
import { requestCertificate, requestName } from './request-certificate.ts';

cryptoProvider.set(webcrypto as Crypto);
const hour = 3_600_000;
let directory: string;
beforeEach(() => (directory = mkdtempSync(path.join(tmpdir(), 'pki-'))));
afterEach(() => rmSync(directory, { recursive: true }));

interface Request {
  metadata: { name?: string; generateName?: string };
  spec: { request: string; signerName: string; usages: string[] };
  status?: object;
}

/** The part of an API server that accepts certificate signing requests, and a signer that the test controls. */
class Signer implements Transport {
  readonly structured = true;
  readonly address = 'in-process:';
  readonly requests: Request[] = [];
  refusal: object | undefined;
  lifetimeMs = hour;
  readonly #clock: ManualClock;

  constructor(clock: ManualClock) {
    this.#clock = clock;
  }

  async send({ method, body, path: place }: TransportRequest): Promise<TransportResponse> {
    if (method === 'POST') {
      const { object } = body as unknown as { object: Request };
      const taken = this.requests.some(
        ({ metadata }) => metadata.name !== undefined && metadata.name === object.metadata.name,
      );
      if (taken) return answer(409, { kind: 'Status', code: 409, reason: 'AlreadyExists', metadata: {} });
      object.metadata.name ??= `${object.metadata.generateName}${this.requests.length}`;
      this.requests.push(object);
      object.status =
        this.refusal === undefined
          ? { certificate: await sign(object.spec.request, this.#clock.now(), this.lifetimeMs) }
          : { conditions: [this.refusal] };
      return answer(201, object);
    }
    const name = place.split('/').at(-1);
    return answer(
      200,
      this.requests.find(({ metadata }) => metadata.name === name),
    );
  }

  async close(): Promise<void> {}
}

const answer = (status: number, object: unknown): TransportResponse => ({
  status,
  headers: {},
  object,
  bytes: async () => new Uint8Array(),
  async *stream() {},
});

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

async function sign(request: string, nowMs: number, lifetimeMs: number): Promise<string> {
  const authority = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const wanted = new Pkcs10CertificateRequest(Buffer.from(request, 'base64').toString());
  const certificate = await X509CertificateGenerator.create({
    subject: wanted.subject,
    issuer: 'CN=test',
    notBefore: new Date(nowMs),
    notAfter: new Date(nowMs + lifetimeMs),
    publicKey: await wanted.publicKey.export(),
    signingKey: authority.privateKey,
    signingAlgorithm: algorithm,
    extensions: wanted.extensions,
  });
  return Buffer.from(`${certificate.toString('pem')}\n`).toString('base64');
}

const manager = (clock: ManualClock, signer: Signer, more: object = {}) => {
  const stopping = new AbortController();
  const changes: string[] = [];
  const errors: string[] = [];
  const made = new CertificateManager({
    client: createClient({ transport: signer }),
    clock,
    random: { next: () => 0.5 } as never,
    signal: stopping.signal,
    store: new CertificateStore(directory, 'kubelet-client'),
    signer: 'kubernetes.io/kube-apiserver-client-kubelet',
    template: () => clientTemplate('n1'),
    changed: ({ leaf }) => changes.push(leaf.subject),
    onError: (error) => errors.push(messageOf(error)),
    ...more,
  });
  return { made, changes, errors, stop: () => stopping.abort() };
};

/** Keys and signatures are created in real time. */
const until = async (clock: ManualClock, isSo: () => boolean): Promise<void> => {
  await expect
    .poll(async () => {
      await clock.advance(0);
      return isSo();
    })
    .toBe(true);
};

test('the first certificate is asked for at once, as the node; the next when 80 percent of its life are over', async () => {
  const clock = new ManualClock();
  const signer = new Signer(clock);
  const { made, changes, stop } = manager(clock, signer);
  const running = made.run();
  await until(clock, () => changes.length === 1);
  expect(changes).toEqual(['O=system:nodes\nCN=system:node:n1']);
  expect(signer.requests[0]).toMatchObject({
    metadata: { generateName: 'csr-' },
    spec: {
      signerName: 'kubernetes.io/kube-apiserver-client-kubelet',
      usages: ['digital signature', 'client auth'],
    },
  });
  expect(made.rotationDueMs).toBe(made.current!.leaf.validFromDate.getTime() + 0.8 * hour);
  await clock.advance(0.79 * hour);
  expect(signer.requests).toHaveLength(1);
  await clock.advance(0.02 * hour);
  await until(clock, () => changes.length === 2);
  const current = path.join(directory, 'kubelet-client-current.pem');
  expect(lstatSync(current).isSymbolicLink()).toBe(true);
  expect(statSync(current).mode & 0o777).toBe(0o600);
  expect(readdirSync(directory)).toHaveLength(3);
  stop();
  await running;
});

test('an existing certificate is used until it expires', async () => {
  const clock = new ManualClock();
  const signer = new Signer(clock);
  const first = manager(clock, signer);
  const running = first.made.run();
  await until(clock, () => first.changes.length === 1);
  first.stop();
  await running;
  expect(manager(clock, signer).made.current?.leaf.serialNumber).toBe(first.made.current?.leaf.serialNumber);
  await clock.advance(hour);
  expect(manager(clock, signer).made.current).toBeUndefined();
});

test('a denied request is reported and retried later', async () => {
  const clock = new ManualClock();
  const signer = new Signer(clock);
  signer.refusal = { type: 'Denied', status: 'True', reason: 'No', message: 'not you' };
  const { made, changes, errors, stop } = manager(clock, signer);
  const running = made.run();
  await until(clock, () => errors.length === 1);
  expect(errors).toEqual(['certificate signing request is denied, reason: No, message: not you']);
  expect(made.failures).toBe(1);
  signer.refusal = undefined;
  await clock.advance(2_000);
  await until(clock, () => changes.length === 1);
  stop();
  await running;
});

test('a serving certificate is replaced as soon as the node has another address', async () => {
  const clock = new ManualClock();
  const signer = new Signer(clock);
  let addresses = ['n1', '10.0.0.1'];
  const { made, changes, stop } = manager(clock, signer, {
    signer: 'kubernetes.io/kubelet-serving',
    template: () => servingTemplate('n1', addresses),
  });
  const running = made.run();
  await until(clock, () => changes.length === 1);
  expect(made.current?.leaf.subjectAltName).toBe('DNS:n1, IP Address:10.0.0.1');
  expect(signer.requests[0]?.spec.usages).toEqual(['digital signature', 'server auth']);
  addresses = ['n1', '10.0.0.1', 'fd00::1'];
  await clock.advance(1_000);
  await until(clock, () => changes.length === 2);
  expect(satisfies(made.current!.leaf, servingTemplate('n1', addresses)!)).toBe(true);
  stop();
  await running;
});

test('a restart with the same key waits for the existing request', async () => {
  const clock = new ManualClock();
  const server = new Signer(clock);
  const key = await newKey();
  const signer = 'kubernetes.io/kube-apiserver-client-kubelet';
  const template = clientTemplate('n1');
  const name = requestName(key, template, signer);
  expect(name).toMatch(/^node-csr-[\w-]{43}$/);
  const client = createClient({ transport: server });
  const ask = () =>
    requestCertificate({
      client,
      clock,
      signal: new AbortController().signal,
      signer,
      template,
      key,
      name,
      waitMsMax: 1_000,
    });
  expect(await ask()).toBe(await ask());
  expect(server.requests).toHaveLength(1);
});

test('a new pair replaces the last one whole; another key than the certificate has is refused', async () => {
  const store = new CertificateStore(directory, 'kubelet-client');
  expect(store.current()).toBeUndefined();
  const [key, other] = [await newKey(), await newKey()];
  const request = Buffer.from(await signingRequest(key, clientTemplate('n1'))).toString('base64');
  const certificate = Buffer.from(await sign(request, Date.UTC(2026, 0, 1), hour), 'base64').toString();
  expect(() => store.update({ certificate, key: other }, 0)).toThrow('private key does not match public key');
  store.update({ certificate, key }, Date.UTC(2026, 0, 2, 3, 4, 5));
  expect(readdirSync(directory)).toEqual([
    'kubelet-client-2026-01-02-03-04-05.pem',
    'kubelet-client-current.pem',
  ]);
  expect(store.current()?.key.trim()).toBe(key.trim());
  const text = readFileSync(store.currentFile, 'utf8');
  expect(storedCertificate(text, 'x').certificate.trim()).toBe(certificate.trim());
  writeFileSync(store.currentFile, 'nonsense');
  expect(() => store.current()).toThrow('could not convert data from');
});

test('rotation is due between 70 and 90 percent of the life', async () => {
  const request = Buffer.from(await signingRequest(await newKey(), clientTemplate('n1'))).toString('base64');
  const pem = Buffer.from(await sign(request, 0, 100_000), 'base64').toString();
  const { X509Certificate } = await import('node:crypto');
  const leaf = new X509Certificate(pem);
  expect([rotationMs(leaf, 0), rotationMs(leaf, 1)].map(Math.round)).toEqual([70_000, 90_000]);
});
