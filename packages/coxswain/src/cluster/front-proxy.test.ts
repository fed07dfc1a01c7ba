/** Extension servers behind the aggregator of a single-process cluster learn whose requests it forwards. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:https';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock, type KubeObject } from '@coxswain/apimachinery';
import type { KubeClient } from '@coxswain/client';
import { clusterCertificates } from '../certificates/certificates.ts';
import { startCluster } from './cluster.ts';

interface Trust extends KubeObject {
  readonly data: Readonly<Record<string, string>>;
}

// These tests need real TLS.
async function startWithCertificates() {
  const directory = mkdtempSync(path.join(tmpdir(), 'coxswain-front-proxy-'));
  const certificates = await clusterCertificates(directory, {
    clock: systemClock,
    serviceAddress: '10.96.0.1',
  });
  const rootCertificateAuthority = readFileSync(certificates.caCertFile, 'utf8');
  const cluster = await startCluster({
    port: 0,
    nodes: 0,
    certificates: { ...certificates, rootCertificateAuthority },
  });
  onTestFinished(async () => {
    await cluster.stop();
    rmSync(directory, { recursive: true, force: true });
  });
  return { cluster, certificates };
}

test('an extension server that uses the published trust accepts the aggregator, and no client', async () => {
  const { cluster, certificates } = await startWithCertificates();
  const client = cluster.client({ name: 'alice', groups: ['system:masters'], extra: { team: ['blue'] } });
  const trust = await client
    .resource<Trust>('v1', 'configmaps')
    .namespace('kube-system')
    .get('extension-apiserver-authentication');
  expect(trust.data).toMatchObject({
    'client-ca-file': readFileSync(certificates.caCertFile, 'utf8'),
    'requestheader-allowed-names': '["front-proxy-client"]',
    'requestheader-username-headers': '["X-Remote-User"]',
    'requestheader-group-headers': '["X-Remote-Group"]',
    'requestheader-extra-headers-prefix': '["X-Remote-Extra-"]',
  });
  const proxyAuthority = trust.data['requestheader-client-ca-file'] ?? '';
  expect(proxyAuthority).not.toBe(trust.data['client-ca-file']);

  const seen: IncomingMessage[] = [];
  const server = createServer(
    {
      key: readFileSync(certificates.servingKeyFile),
      cert: readFileSync(certificates.servingCertFile),
      ca: proxyAuthority,
      requestCert: true,
      rejectUnauthorized: true,
    },
    (request, response) => {
      if (request.url === '/apis/wardle.example.com/v1/flunders') seen.push(request);
      response.setHeader('content-type', 'application/json').end('{}');
    },
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await register(client, (server.address() as AddressInfo).port);
  const ask = () => client.rest.request({ verb: 'GET', path: '/apis/wardle.example.com/v1/flunders' });
  await expect
    .poll(
      () =>
        ask().then(
          () => true,
          () => false,
        ),
      { timeout: 10_000 },
    )
    .toBe(true);

  const request = seen[0]!;
  expect((request.socket as TLSSocket).getPeerCertificate().subject.CN).toBe('front-proxy-client');
  expect(request.headers).toMatchObject({
    'x-remote-user': 'alice',
    'x-remote-group': expect.stringContaining('system:masters'),
    'x-remote-extra-team': 'blue',
  });
});

async function register(client: KubeClient, port: number): Promise<void> {
  await client
    .resource('v1', 'services')
    .namespace('default')
    .create({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'wardle' },
      spec: { type: 'ExternalName', externalName: 'localhost', ports: [{ port }] },
    } as never);
  await client.resource('apiregistration.k8s.io/v1', 'apiservices').create({
    apiVersion: 'apiregistration.k8s.io/v1',
    kind: 'APIService',
    metadata: { name: 'v1.wardle.example.com' },
    spec: {
      group: 'wardle.example.com',
      version: 'v1',
      insecureSkipTLSVerify: true,
      groupPriorityMinimum: 1000,
      versionPriority: 15,
      service: { name: 'wardle', namespace: 'default', port },
    },
  } as never);
}
