import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock, type KubeObject } from '@coxswain/apimachinery';
import { bootstrapCredentials } from '@coxswain/kubelet/certificates/bootstrap.ts';
import { clusterCertificates } from '../certificates/certificates.ts';
import { startCluster, type Cluster } from '../cluster/cluster.ts';
import { connect, loadKubeconfig } from '@coxswain/client/node.ts';
import { authorityPin } from './authority-pin.ts';
import {
  formatBootstrapToken,
  newBootstrapToken,
  parseBootstrapToken,
  tokenSecret,
} from './bootstrap-token.ts';
import { UntrustedClusterError, discoverCluster } from './discover-cluster.ts';
import { deleteToken, joinCommand, listTokens, storeNewToken, storeToken } from './stored-tokens.ts';

const token = parseBootstrapToken('abcdef.0123456789abcdef');
const directory = mkdtempSync(path.join(tmpdir(), 'coxswain-joining-'));
let cluster: Cluster;
let authority: string;

// Uses a real port, because certificates and signatures are being tested.
beforeAll(async () => {
  const certificates = await clusterCertificates(path.join(directory, 'pki'), {
    clock: systemClock,
    serviceAddress: '10.96.0.1',
    hosts: ['localhost.example'],
  });
  authority = readFileSync(certificates.caCertFile, 'utf8');
  cluster = await startCluster({
    port: 0,
    nodes: 0,
    certificates: { ...certificates, rootCertificateAuthority: authority },
    joinable: { bindAddress: '127.0.0.1', advertiseAddress: '127.0.0.1', podRange: '10.244.0.0/16' },
  });
  await storeToken(cluster.client(), token, { ttlMs: 3_600_000, description: 'of a test' }, Date.now());
}, 60_000);

afterAll(async () => {
  await cluster?.stop();
  rmSync(directory, { recursive: true, force: true });
});

const server = (): string => cluster.address ?? '';

const discovered = () =>
  discoverCluster(
    { server: server(), token, pins: [authorityPin(authority)] },
    AbortSignal.timeout(30_000),
  ).catch((error: unknown) => (error instanceof UntrustedClusterError ? Promise.reject(error) : undefined));

test("a machine with the token and the hash of the authority's key discovers the cluster", async () => {
  // The signature appears shortly after the token.
  await expect
    .poll(discovered, { timeout: 20_000 })
    .toEqual({ server: server(), certificateAuthority: authority });
});

test('a cluster that another authority speaks for, or that signs with another secret, is not believed', async () => {
  const pins = [`sha256:${'0'.repeat(64)}`];
  await expect(
    discoverCluster({ server: server(), token, pins }, AbortSignal.timeout(30_000)),
  ).rejects.toThrow(UntrustedClusterError);
  const other = { ...token, secret: 'f'.repeat(16) };
  await expect(
    discoverCluster({ server: server(), token: other, pins: [] }, AbortSignal.timeout(30_000)),
  ).rejects.toThrow('failed to verify JWS signature');
});

test('a token gets a node its certificate and nothing else; the node may change itself alone', async () => {
  const found = await discoverCluster({ server: server(), token, pins: [] }, AbortSignal.timeout(30_000));
  const cluster64 = Buffer.from(found.certificateAuthority).toString('base64');
  const bootstrap = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'c', cluster: { server: found.server, 'certificate-authority-data': cluster64 } }],
    users: [{ name: 'u', user: { token: formatBootstrapToken(token) } }],
    contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
    'current-context': 'x',
  };
  const joiner = connect(bootstrap);
  await expect(joiner.resource('v1', 'secrets').namespace('kube-system').list()).rejects.toThrow('forbidden');
  await joiner.close();

  const files = {
    kubeconfig: path.join(directory, 'node'),
    bootstrapKubeconfig: path.join(directory, 'joiner'),
  };
  writeFileSync(files.bootstrapKubeconfig, JSON.stringify(bootstrap));
  await bootstrapCredentials({
    ...files,
    certDirectory: path.join(directory, 'node-pki'),
    nodeName: 'one',
    clock: systemClock,
    signal: AbortSignal.timeout(30_000),
    log: () => undefined,
  });
  const node = connect(loadKubeconfig({ file: files.kubeconfig, env: {} }));
  try {
    const nodes = node.resource<KubeObject & { readonly spec?: { readonly podCIDR?: string } }>(
      'v1',
      'nodes',
    );
    await nodes.create({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'one' } });
    await expect
      .poll(async () => (await nodes.get('one')).spec?.podCIDR, { timeout: 20_000 })
      .toBe('10.244.0.0/24');
    await expect(nodes.create({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'two' } })).rejects.toThrow(
      'node "one" is not allowed to modify node "two"',
    );
    const policies = node.resource('networking.k8s.io/v1', 'networkpolicies');
    expect((await policies.list()).items).toEqual([]);
  } finally {
    await node.close();
  }
}, 60_000);

test('tokens are listed, printed as a command, and refused once deleted', async () => {
  const client = cluster.client();
  const other = newBootstrapToken();
  await storeToken(client, other, { ttlMs: 0 }, Date.now());
  const listed = await listTokens(client);
  expect(listed.map(({ token: each, expiration }) => [each.id, expiration === ''])).toEqual(
    expect.arrayContaining([
      [token.id, false],
      [other.id, true],
    ]),
  );
  expect(await joinCommand(client, other)).toBe(
    `coxswain join ${formatBootstrapToken(other)} --server=${server()} --discovery-token-ca-cert-hash=${authorityPin(authority)}`,
  );
  expect(await deleteToken(client, formatBootstrapToken(other))).toBe(other.id);
  expect((await listTokens(client)).map(({ token: { id } }) => id)).not.toContain(other.id);
});

test.each(['abcdef', 'ABCDEF.0123456789abcdef', 'abcdef.0123456789abcde', ' abcdef.0123456789abcdef'])(
  '%j is no token',
  (text) => {
    expect(() => parseBootstrapToken(text)).toThrow('was not of the form');
  },
);

test('a token has only valid usages, and groups of joiners', () => {
  expect(() => tokenSecret(token, { ttlMs: 0, usages: ['everything'] }, 0)).toThrow('invalid usage');
  expect(() => tokenSecret(token, { ttlMs: 0, groups: ['system:masters'] }, 0)).toThrow('is invalid');
});

test('an existing token is not created again', async () => {
  const again = storeNewToken(cluster.client(), token, { ttlMs: 3_600_000 }, Date.now());
  await expect(again).rejects.toThrow('a token with id "abcdef" already exists');
});
