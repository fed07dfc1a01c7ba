import 'reflect-metadata';
import { X509Certificate } from 'node:crypto';
import * as x509 from '@peculiar/x509';
import { beforeAll, expect, test } from 'vitest';
import { signCertificate } from './certificate-authority.ts';
import type { SigningPair } from '../settings.ts';
import type { CertificateRequest } from './certificate-request.ts';
import { isPast } from './cleaner-controller.ts';
import { loadX509 } from './load-x509.ts';
import { requestedSubject } from './requested-subject.ts';
import { signerRules } from './signer-rules.ts';

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const hourMs = 3_600_000;
const nowMs = Date.UTC(2026, 0, 1);

beforeAll(async () => void (await loadX509()));

async function request(
  name: string,
  names: x509.JsonGeneralNames = [],
  status: CertificateRequest['status'] = {},
): Promise<CertificateRequest> {
  const keys = await crypto.subtle.generateKey(algorithm, false, ['sign', 'verify']);
  const pkcs10 = await x509.Pkcs10CertificateRequestGenerator.create({
    name,
    keys,
    signingAlgorithm: algorithm,
    extensions: names.length === 0 ? [] : [new x509.SubjectAlternativeNameExtension(names)],
  });
  return {
    apiVersion: 'certificates.k8s.io/v1',
    kind: 'CertificateSigningRequest',
    metadata: { name: 'r', creationTimestamp: '2026-01-01T00:00:00Z' },
    spec: { request: btoa(pkcs10.toString('pem')), signerName: 'kubernetes.io/kubelet-serving' },
    status,
  };
}

async function authority(): Promise<SigningPair> {
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: 'CN=authority',
    keys,
    signingAlgorithm: algorithm,
    notBefore: new Date(nowMs - hourMs),
    notAfter: new Date(nowMs + 100 * hourMs),
    extensions: [new x509.BasicConstraintsExtension(true, undefined, true)],
  });
  const key = await crypto.subtle.exportKey('pkcs8', keys.privateKey);
  return { certificate: certificate.toString('pem'), key: x509.PemConverter.encode(key, 'PRIVATE KEY') };
}

test('a certificate has the subject and the names that were asked for, and the usages of the request', async () => {
  const pair = await authority();
  const names: x509.JsonGeneralNames = [
    { type: 'dns', value: 'node-1' },
    { type: 'ip', value: '10.0.0.7' },
  ];
  const subject = await requestedSubject(await request('O=system:nodes,CN=system:node:node-1', names));

  const usages = ['digital signature', 'server auth'];
  const pem = await signCertificate(pair, subject, { usages, lifetimeMs: hourMs, nowMs });

  const certificate = new X509Certificate(pem);
  expect(certificate.subject).toBe('O=system:nodes\nCN=system:node:node-1');
  expect(certificate.subjectAltName).toBe('DNS:node-1, IP Address:10.0.0.7');
  expect(certificate.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1']);
  expect(certificate.verify(new X509Certificate(pair.certificate).publicKey)).toBe(true);
  expect(certificate.validToDate.getTime()).toBe(nowMs + hourMs);
});

test('the parts of a subject come in the order in which Go writes them', async () => {
  const pair = await authority();
  const subject = await requestedSubject(await request('CN=carol,OU=x,O=system:nodes,O=dev'));

  const pem = await signCertificate(pair, subject, { usages: ['client auth'], lifetimeMs: hourMs, nowMs });

  expect(new X509Certificate(pem).subject).toBe('O=dev + O=system:nodes\nOU=x\nCN=carol');
});

test('a certificate does not outlive its authority, which signs nothing once it has expired', async () => {
  const pair = await authority();
  const subject = await requestedSubject(await request('CN=carol'));
  const sign = (atMs: number) =>
    signCertificate(pair, subject, { usages: ['client auth'], lifetimeMs: 1000 * hourMs, nowMs: atMs });

  expect(new X509Certificate(await sign(nowMs)).validToDate.getTime()).toBe(nowMs + 100 * hourMs);
  await expect(sign(nowMs + 101 * hourMs)).rejects.toThrow('the signer has expired');
});

test.each([
  ['O=dev,CN=system:node:a', 'subject organization is not system:nodes'],
  ['O=system:nodes,CN=a', 'subject common name does not begin with system:node:'],
  ['O=system:nodes,CN=system:node:a', undefined],
])('the signer for clients of kubelets says of %s: %s', async (name, problem) => {
  const subject = await requestedSubject(await request(name));
  const rule = signerRules['kubernetes.io/kube-apiserver-client-kubelet']!;

  expect(rule(subject, ['client auth', 'digital signature', 'key encipherment'])).toBe(problem);
});

test('usages must be those that the signer is for', async () => {
  const subject = await requestedSubject(await request('O=system:nodes,CN=system:node:a'));
  const kubelet = signerRules['kubernetes.io/kube-apiserver-client-kubelet']!;
  const client = signerRules['kubernetes.io/kube-apiserver-client']!;

  expect(kubelet(subject, ['client auth'])).toBe(
    'usages did not match [client auth digital signature key encipherment]',
  );
  expect(client(subject, ['server auth'])).toBe('invalid usage for client certificate: server auth');
  expect(client(subject, ['digital signature'])).toBe(
    'missing required usage for client certificate: client auth',
  );
});

test('requests are kept for an hour after they were decided, and undecided ones for a day', async () => {
  const decided = { type: 'Denied', status: 'True', lastUpdateTime: '2026-01-01T00:00:00Z' };
  const pending = await request('CN=carol');
  const denied = await request('CN=carol', [], { conditions: [decided] });

  expect([isPast(pending, nowMs + 24 * hourMs), isPast(pending, nowMs + 25 * hourMs)]).toEqual([false, true]);
  expect([isPast(denied, nowMs + hourMs), isPast(denied, nowMs + 2 * hourMs)]).toEqual([false, true]);
});
