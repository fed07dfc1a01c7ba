/** What only the main thread of a cluster has, for clients of its serving threads: simulated pods, and what runs in them. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { systemClock } from '@coxswain/apimachinery';
import { DefinedImages } from '@coxswain/simulated-nodes/program/defined-images.ts';
import { clusterCertificates } from '../certificates/certificates.ts';
import { startCluster } from './cluster.ts';
import type { Cluster } from './cluster-options.ts';

const directory = mkdtempSync(path.join(tmpdir(), 'coxswain-serving-threads-'));
const images = new DefinedImages();
let cluster: Cluster;
let tls: Record<'ca' | 'cert' | 'key', Buffer>;

beforeAll(async () => {
  const certificates = await clusterCertificates(directory, {
    clock: systemClock,
    serviceAddress: '10.96.0.1',
  });
  tls = {
    ca: readFileSync(certificates.caCertFile),
    cert: readFileSync(certificates.adminCertFile),
    key: readFileSync(certificates.adminKeyFile),
  };
  cluster = await startCluster({
    port: 0,
    threads: 2,
    images,
    encryption: { file: encryptionFile(), reloads: false },
    servesMetrics: true,
    certificates: { ...certificates, rootCertificateAuthority: tls.ca.toString() },
  });
}, 60_000);

function encryptionFile(): string {
  const file = path.join(directory, 'encryption.json');
  const secret = Buffer.alloc(32, 7).toString('base64');
  const providers = [{ aescbc: { keys: [{ name: 'key1', secret }] } }, { identity: {} }];
  writeFileSync(
    file,
    JSON.stringify({
      apiVersion: 'apiserver.config.k8s.io/v1',
      kind: 'EncryptionConfiguration',
      resources: [{ resources: ['secrets'], providers }],
    }),
  );
  return file;
}

afterAll(async () => {
  await cluster.stop();
  rmSync(directory, { recursive: true, force: true });
});

/** Each request has a connection of its own, so that both threads are asked. */
async function ask(method: string, target: string, object?: unknown) {
  const agent = new Agent({ ...tls, keepAlive: false });
  const sent = request(`${cluster.address}${target}`, {
    method,
    agent,
    headers: { 'content-type': 'application/json' },
  });
  sent.end(object === undefined ? undefined : JSON.stringify(object));
  const [answer] = await new Promise<[NodeJS.ReadableStream & { statusCode?: number }]>((resolve, reject) => {
    sent.once('response', (response) => resolve([response]));
    sent.once('error', reject);
  });
  return { status: answer.statusCode, text: await text(answer) };
}

const namespace = '/api/v1/namespaces/default';
const both = [1, 2, 3, 4, 5, 6];

async function deploy(name: string, image: string): Promise<void> {
  await ask('POST', `${namespace}/services`, {
    metadata: { name },
    spec: { selector: { app: name }, ports: [{ port: 443, targetPort: 8443 }] },
  });
  const containers = [{ name: 'c', image, ports: [{ containerPort: 8443 }] }];
  await ask('POST', `${namespace}/pods`, { metadata: { name, labels: { app: name } }, spec: { containers } });
  await vi.waitFor(async () => {
    const { text: slices } = await ask('GET', '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices');
    expect(slices).toMatch(new RegExp(`"name":"${name}-[^]*"ready":true`));
  }, 20_000);
}

test('each thread encrypts what it stores', async () => {
  for (const index of both) {
    const name = `hidden-${index}`;
    expect(await ask('POST', `${namespace}/secrets`, { metadata: { name } })).toMatchObject({ status: 201 });
    const stored = await cluster.storage.get(`/registry/secrets/default/${name}`);
    expect(Buffer.from(stored!.value).toString('latin1')).toMatch(/^k8s:enc:aescbc:v1:key1:/);
  }
});

test('a webhook in a simulated pod decides on requests of each thread', async () => {
  images.define('policy:1', {
    listen: {
      8443: async (asked) => {
        const { request: review } = (await asked.json()) as { request: { uid: string; name: string } };
        const response = { uid: review.uid, allowed: !review.name.startsWith('bad') };
        return Response.json({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response });
      },
    },
  });
  await deploy('policy', 'policy:1');
  await ask('POST', '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations', {
    metadata: { name: 'policy' },
    webhooks: [
      {
        name: 'policy.example.com',
        clientConfig: { service: { namespace: 'default', name: 'policy' } },
        rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }],
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
      },
    ],
  });
  for (const at of both) {
    const create = (name: string) => ask('POST', `${namespace}/configmaps`, { metadata: { name } });
    expect(await create(`good-${at}`)).toMatchObject({ status: 201 });
    expect(await create(`bad-${at}`)).toMatchObject({
      status: 400,
      text: expect.stringContaining('admission webhook \\"policy.example.com\\" denied the request'),
    });
  }
});

test('an extension server in a simulated pod is served and listed, and refusals keep their status', async () => {
  images.define('extension:1', {
    listen: {
      8443: (asked) => {
        const { pathname } = new URL(asked.url);
        const resources = [
          { name: 'things', singularName: 'thing', namespaced: false, kind: 'Thing', verbs: [] },
        ];
        const list = { apiVersion: 'v1', kind: 'APIResourceList', groupVersion: 'example.com/v1', resources };
        return Response.json(pathname === '/apis/example.com/v1' ? list : { kind: 'Thing', path: pathname });
      },
    },
  });
  await deploy('extension', 'extension:1');
  const register = (group: string, service: string) =>
    ask('POST', '/apis/apiregistration.k8s.io/v1/apiservices', {
      metadata: { name: `v1.${group}` },
      spec: {
        group,
        version: 'v1',
        service: { namespace: 'default', name: service },
        insecureSkipTLSVerify: true,
        groupPriorityMinimum: 1000,
        versionPriority: 10,
      },
    });
  await register('example.com', 'extension');
  await register('absent.com', 'absent');
  await vi.waitFor(async () => {
    for (const _ of both)
      expect(await ask('GET', '/apis/example.com/v1/things')).toMatchObject({
        status: 200,
        text: expect.stringContaining('/apis/example.com/v1/things'),
      });
  }, 20_000);
  for (const _ of both) {
    expect((await ask('GET', '/apis')).text).toContain('example.com/v1');
    expect((await ask('GET', '/apis/absent.com/v1/things')).status).toBe(503);
  }
});

test('pods are reached through their proxy, with bodies of unknown length, and measured', async () => {
  images.define('echo:1', { listen: { 8443: async (asked) => new Response(await asked.text()) } });
  await deploy('echo', 'echo:1');
  const body = 'x'.repeat(300_000);
  for (const _ of both) {
    const echoed = await ask('POST', `${namespace}/services/https:echo:443/proxy/`, body);
    expect(echoed).toEqual({ status: 200, text: JSON.stringify(body) });
    expect(await ask('GET', '/apis/metrics.k8s.io/v1beta1/nodes')).toMatchObject({ status: 200 });
    expect((await ask('GET', `${namespace}/pods/nobody/log`)).status).toBe(404);
  }
});
