import { execFileSync, type ExecFileSyncOptions } from 'node:child_process';
import { expect, test } from 'vitest';
import { defaultSigner } from './default-signer.ts';

const client = ['digital signature', 'client auth'];
const server = ['digital signature', 'server auth'];
const node = '/O=system:nodes/CN=system:node:n1';

/** base64 of the PEM of a request made by openssl. */
function requestFor(subject: string, names?: string): string {
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', '/dev/null'];
  const extension = names === undefined ? [] : ['-addext', `subjectAltName=${names}`];
  const options: ExecFileSyncOptions = { stdio: ['ignore', 'pipe', 'ignore'] };
  return Buffer.from(
    execFileSync('openssl', ['req', '-new', ...key, '-subj', subject, ...extension], options),
  ).toString('base64');
}

test.each([
  [node, undefined, client, 'kubernetes.io/kube-apiserver-client-kubelet'],
  [node, undefined, [...client, 'key encipherment'], 'kubernetes.io/kube-apiserver-client-kubelet'],
  [node, undefined, server, 'kubernetes.io/legacy-unknown'],
  [node, 'DNS:n1,IP:10.0.0.1', server, 'kubernetes.io/kubelet-serving'],
  [node, 'DNS:n1', client, 'kubernetes.io/legacy-unknown'],
  [node, 'DNS:n1,email:a@b.c', server, 'kubernetes.io/legacy-unknown'],
  ['/O=system:nodes/CN=n1', undefined, client, 'kubernetes.io/legacy-unknown'],
  ['/CN=system:node:n1', undefined, client, 'kubernetes.io/legacy-unknown'],
])('%s with names %s for %j is signed by %s', (subject, names, usages, signer) => {
  const object = { metadata: {}, spec: { request: requestFor(subject, names), usages } };

  defaultSigner(object);

  expect(object.spec).toHaveProperty('signerName', signer);
});

test.each(['', '!', btoa('no request'), btoa('-----BEGIN CERTIFICATE REQUEST-----\nAAAA\n-----END')])(
  'what is no request, as %j, is for an unknown signer',
  (request) => {
    const object = { metadata: {}, spec: { request } };

    defaultSigner(object);

    expect(object.spec).toHaveProperty('signerName', 'kubernetes.io/legacy-unknown');
  },
);

test('a signer that is named stays', () => {
  const object = { metadata: {}, spec: { request: '', signerName: 'a.example/b' } };

  defaultSigner(object);

  expect(object.spec.signerName).toBe('a.example/b');
});
