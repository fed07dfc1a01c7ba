/**
 * `npm run sample-apiserver -- --program PATH --assets DIR`: the public k8s.io/sample-apiserver behind an aggregator. DIR
 * has `etcd` and `kube-apiserver`, ours (`coxswain assets`) or the original's; PATH is built by `go build` in that module.
 * Prints what it did; the exit status is 1 when something is not as the original does it. Needs `openssl`.
 */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { request } from 'node:https';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';

const { values: options } = parseArgs({
  options: { program: { type: 'string', default: '' }, assets: { type: 'string', default: '' } },
});

const readyMsMax = 60_000;
const pollMs = 100;
const directory = mkdtempSync(path.join(tmpdir(), 'sample-apiserver-'));
const at = (name: string): string => path.join(directory, name);
const running: ChildProcess[] = [];

function makeCertificates(): void {
  const openssl = (...args: readonly string[]): void =>
    void execFileSync('openssl', [...args], { cwd: directory, stdio: 'pipe' });
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  openssl('req', '-x509', ...key, '-keyout', 'ca.key', '-out', 'ca.crt', '-subj', '/CN=ca', '-days', '2');
  openssl('req', '-x509', ...key, '-keyout', 'sa.key', '-out', 'sa.crt', '-subj', '/CN=sa', '-days', '2');
  for (const [name, subject] of [
    ['admin', '/O=system:masters/CN=admin'],
    ['proxy', '/CN=front-proxy'],
  ] as const) {
    openssl('req', ...key, '-keyout', `${name}.key`, '-out', `${name}.csr`, '-subj', subject);
    const signed = ['-CA', 'ca.crt', '-CAkey', 'ca.key', '-CAcreateserial', '-days', '2'];
    openssl('x509', '-req', '-in', `${name}.csr`, ...signed, '-out', `${name}.crt`);
  }
}

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });

function start(program: string, flags: readonly string[]): void {
  running.push(spawn(program, flags, { stdio: ['ignore', 'ignore', 'inherit'] }));
}

interface Answer {
  readonly status: number;
  readonly body: string;
}

function open(
  url: string,
  method = 'GET',
  body?: object,
  more: RequestOptions = {},
): Promise<IncomingMessage> {
  const secure = {
    rejectUnauthorized: false,
    cert: readFileSync(at('admin.crt')),
    key: readFileSync(at('admin.key')),
  };
  const headers = { ...(body && { 'content-type': 'application/json' }), ...more.headers };
  return new Promise((resolve, reject) => {
    const send = url.startsWith('https:') ? request : httpRequest;
    const sent = send(url, { ...secure, method, headers, agent: false } as RequestOptions, resolve);
    sent.on('error', reject);
    sent.end(body && JSON.stringify(body));
  });
}

async function ask(url: string, method?: string, body?: object, more?: RequestOptions): Promise<Answer> {
  const response = await open(url, method, body, more);
  let text = '';
  for await (const chunk of response) text += String(chunk);
  return { status: response.statusCode ?? 0, body: text };
}

async function until(what: string, isTrue: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + readyMsMax;
  while (Date.now() < end) {
    if (await isTrue().catch(() => false)) return;
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
  throw new Error(`${what}: not within ${readyMsMax} ms`);
}

let problems = 0;
function expectThat(what: string, holds: boolean, shown = ''): void {
  if (!holds) problems++;
  console.log(`${holds ? 'ok    ' : 'FAILED'} ${what}${holds ? '' : `: ${shown}`}`);
}

async function startServers(): Promise<string> {
  const [client, peer, secure, sample] = await Promise.all([freePort(), freePort(), freePort(), freePort()]);
  const etcd = `http://127.0.0.1:${client}`;
  start(path.join(options.assets, 'etcd'), [
    `--data-dir=${at('etcd')}`,
    `--listen-client-urls=${etcd}`,
    `--advertise-client-urls=${etcd}`,
    `--listen-peer-urls=http://127.0.0.1:${peer}`,
  ]);
  await until('etcd', async () => (await ask(`${etcd}/health`)).status === 200);
  const server = `https://127.0.0.1:${secure}`;
  start(path.join(options.assets, 'kube-apiserver'), [
    `--etcd-servers=${etcd}`,
    `--secure-port=${secure}`,
    `--cert-dir=${at('certs')}`,
    '--authorization-mode=RBAC',
    '--service-cluster-ip-range=10.0.0.0/24',
    `--client-ca-file=${at('ca.crt')}`,
    `--requestheader-client-ca-file=${at('ca.crt')}`,
    '--requestheader-allowed-names=front-proxy',
    '--requestheader-username-headers=X-Remote-User',
    '--requestheader-group-headers=X-Remote-Group',
    '--requestheader-extra-headers-prefix=X-Remote-Extra-',
    `--proxy-client-cert-file=${at('proxy.crt')}`,
    `--proxy-client-key-file=${at('proxy.key')}`,
    `--service-account-issuer=${server}`,
    `--service-account-key-file=${at('sa.crt')}`,
    `--service-account-signing-key-file=${at('sa.key')}`,
  ]);
  await until('kube-apiserver', async () => (await ask(`${server}/readyz`)).status === 200);
  writeFileSync(at('kubeconfig'), kubeconfigOf(server));
  start(options.program, [
    `--etcd-servers=${etcd}`,
    `--secure-port=${sample}`,
    `--cert-dir=${at('sample-certs')}`,
    ...['kubeconfig', 'authentication-kubeconfig', 'authorization-kubeconfig'].map(
      (flag) => `--${flag}=${at('kubeconfig')}`,
    ),
  ]);
  await until(
    'sample-apiserver',
    async () => (await ask(`https://127.0.0.1:${sample}/readyz`)).status === 200,
  );
  await register(server, sample);
  return server;
}

const kubeconfigOf = (server: string): string =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'it',
    clusters: [{ name: 'it', cluster: { server, 'insecure-skip-tls-verify': true } }],
    users: [{ name: 'it', user: { 'client-certificate': at('admin.crt'), 'client-key': at('admin.key') } }],
    contexts: [{ name: 'it', context: { cluster: 'it', user: 'it' } }],
  });

async function register(server: string, port: number): Promise<void> {
  await ask(`${server}/api/v1/namespaces`, 'POST', { metadata: { name: 'wardle' } });
  await ask(`${server}/api/v1/namespaces/wardle/services`, 'POST', {
    metadata: { name: 'api' },
    spec: { type: 'ExternalName', externalName: 'localhost', ports: [{ port }] },
  });
  for (const version of ['v1alpha1', 'v1beta1']) {
    await ask(`${server}/apis/apiregistration.k8s.io/v1/apiservices`, 'POST', {
      metadata: { name: `${version}.wardle.example.com` },
      spec: {
        group: 'wardle.example.com',
        version,
        insecureSkipTLSVerify: true,
        groupPriorityMinimum: 1000,
        versionPriority: 15,
        service: { name: 'api', namespace: 'wardle', port },
      },
    });
  }
}

async function tellFlunders(server: string): Promise<void> {
  const group = `${server}/apis/wardle.example.com`;
  const flunders = `${group}/v1alpha1/namespaces/default/flunders`;
  await until('the APIService', async () => (await ask(`${group}/v1alpha1`)).status === 200);
  await until('the resource', async () => (await ask(flunders)).status === 200);
  const watch = await open(`${flunders}?watch=true&timeoutSeconds=20`);
  let events = '';
  watch.on('data', (chunk: Buffer) => (events += chunk.toString()));

  const flunder = (name: string, reference: string) => ({
    apiVersion: 'wardle.example.com/v1alpha1',
    kind: 'Flunder',
    metadata: { name },
    spec: { reference },
  });
  const made = await ask(flunders, 'POST', flunder('one', 'two'));
  expectThat('a flunder is created', made.status === 201, made.body);
  const other = await ask(`${group}/v1beta1/namespaces/default/flunders/one`);
  expectThat('it is read in the other version', /"flunderReference":"two"/.test(other.body), other.body);
  const merge = { headers: { 'content-type': 'application/merge-patch+json' } };
  const patched = await ask(`${flunders}/one`, 'PATCH', { metadata: { labels: { a: 'b' } } }, merge);
  expectThat('it is patched', /"a":"b"/.test(patched.body), patched.body);
  const apply = { headers: { 'content-type': 'application/apply-patch+yaml' } };
  const applied = await ask(`${flunders}/one?fieldManager=me`, 'PATCH', flunder('one', 'two'), apply);
  expectThat('it is applied', applied.status === 200, applied.body);
  const table = { headers: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' } };
  const rows = await ask(flunders, 'GET', undefined, table);
  expectThat('it is listed as a table', /"kind":"Table"/.test(rows.body), rows.body);
  const deleted = await ask(`${flunders}/one`, 'DELETE');
  expectThat('it is deleted', deleted.status === 200, deleted.body);
  await until('the watch', async () => events.includes('DELETED'));
  expectThat('a watch tells all of it', /ADDED[^]*MODIFIED[^]*DELETED/.test(events), events);
  watch.destroy();

  const aggregated = {
    headers: { accept: 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList' },
  };
  const isDiscovered = async () =>
    (await ask(`${server}/apis`, 'GET', undefined, aggregated)).body.includes('flunders');
  await until('discovery', isDiscovered);
  const isDescribed = async () =>
    (await ask(`${server}/openapi/v3`)).body.includes('wardle.example.com/v1alpha1');
  await until('OpenAPI', isDescribed);
  expectThat('discovery and OpenAPI tell of it', true);
}

/** One after the other, the last one first: an API server that ends asks its etcd, and waits long for one that is gone. */
async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await gone;
}

try {
  makeCertificates();
  await tellFlunders(await startServers());
} finally {
  for (const child of running.toReversed()) await ended(child);
  rmSync(directory, { recursive: true, force: true });
}
process.exitCode = problems === 0 ? 0 : 1;
