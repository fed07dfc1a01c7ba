import { ManualClock, seededRandom } from '@coxswain/apimachinery';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { expect, test } from 'vitest';
import { pageServer } from '../cluster-network/http-page.ts';
import { NetworkFailure, type SimulatedNetwork } from '../network/pod-network.ts';
import { ContainerFiles } from './container-files.ts';
import { contentSources, noSources } from './pod-sources.ts';
import { containerWorld } from './container-world.ts';
import { execute } from './execute.ts';

const pod = {
  metadata: { name: 'shell', namespace: 'default' },
  spec: { nodeName: 'node-0', containers: [{ name: 'c', image: 'busybox' }] },
} as unknown as Pod;
const web = {
  metadata: { name: 'web-0', namespace: 'shop' },
  spec: { nodeName: 'node-0', containers: [{ name: 'nginx', image: 'nginx' }] },
} as unknown as Pod;

const addresses: Readonly<Record<string, string>> = { web: '10.96.0.20', idle: '10.96.0.21' };

const network: SimulatedNetwork = () => ({
  lookUp: async (name) =>
    addresses[name] === undefined
      ? undefined
      : { name: `${name}.default.svc.cluster.local`, addresses: [addresses[name]] },
  namesOf: async (address) => (address === '10.96.0.20' ? ['web.default.svc.cluster.local'] : []),
  async connect(address, port) {
    if (address !== '10.96.0.20') throw new NetworkFailure('Connection refused');
    return pageServer(web, 'nginx', port);
  },
});

async function run(...argv: string[]) {
  let [out, err] = ['', ''];
  const world = await containerWorld(pod, pod.spec!.containers![0]!, {
    addresses: ['10.0.0.5'],
    sources: contentSources(noSources, { hostIps: [], podIps: [], allocatable: {} }),
    shared: { ofPod: () => new ContainerFiles(), ofNode: new ContainerFiles() },
    network,
    random: seededRandom(1),
    nowMs: 0,
  });
  const streams = {
    stdout: (chunk: Uint8Array) => void (out += new TextDecoder().decode(chunk)),
    stderr: (chunk: Uint8Array) => void (err += new TextDecoder().decode(chunk)),
  };
  const code = await execute(world, argv, streams, new ManualClock());
  return { code, out, err, files: world.files };
}

test('wget prints or saves the page of the container that it reaches', async () => {
  const printed = await run('wget', '-qO-', 'http://web/shop?x=1');
  expect(printed).toMatchObject({ code: 0, err: '' });
  expect(printed.out).toContain('pod shop/web-0 on node node-0, port 80');
  expect(printed.out).toContain('GET /shop?x=1');
  const saved = await run('wget', 'web:8080');
  expect(saved).toMatchObject({ code: 0, out: '' });
  expect(saved.err).toMatch(/^Connecting to web:8080 \(10\.96\.0\.20:8080\)\nsaving to 'index\.html'\nindex/);
  expect(new TextDecoder().decode(saved.files.read('/index.html'))).toContain('port 8080');
});

test('wget shows the head of a response to scripts that look for its status', async () => {
  const script =
    "code=$(wget --server-response -O /dev/null http://web 2>&1 | awk '/^  HTTP/{print $2}'); echo $code";
  expect(await run('sh', '-c', script)).toMatchObject({ code: 0, out: '200\n' });
});

test.each([
  [['wget', 'http://nobody'], 1, "wget: bad address 'nobody'\n"],
  [['wget', '-q', 'idle'], 1, "wget: can't connect to remote host (10.96.0.21): Connection refused\n"],
  [['wget', '--spider', '-q', 'web'], 0, ''],
  [['wget', '-q', 'https://web'], 1, 'wget: TLS is not simulated\n'],
  [['wget', '-q'], 1, 'wget: missing URL\n'],
  [['curl', '-sS', 'nobody'], 6, 'curl: (6) Could not resolve host: nobody\n'],
  [['curl', '-s', 'nobody'], 6, ''],
  [
    ['curl', 'idle:81'],
    7,
    'curl: (7) Failed to connect to idle port 81 after 0 ms: Could not connect to server\n',
  ],
  [['nc', '-zv', '-w1', 'web', '80'], 0, 'web (10.96.0.20:80) open\n'],
  [['nc', '-z', 'idle', '80'], 1, ''],
])('%j ends with %d', async (argv, code, err) => {
  expect(await run(...argv)).toMatchObject({ code, err });
});

test('curl tells status and head where it is asked to', async () => {
  expect((await run('curl', '-s', '-o', '/dev/null', '-w', '%{http_code}\\n', 'http://web')).out).toBe(
    '200\n',
  );
  expect((await run('curl', '-I', 'web')).out).toMatch(/^HTTP\/1\.1 200 OK\r\nContent-Type: text\/html/);
  const posted = await run('curl', '-X', 'PUT', '-d', 'a=1', '-H', 'X-A: b', 'web/things');
  expect(posted.out).toContain('PUT /things');
});

test('nslookup tells addresses of names, and names of addresses', async () => {
  const server = 'Server:\t\t10.96.0.10\nAddress:\t10.96.0.10:53\n\n';
  expect(await run('nslookup', 'web')).toMatchObject({
    code: 0,
    out: `${server}Name:\tweb.default.svc.cluster.local\nAddress: 10.96.0.20\n\n`,
  });
  expect((await run('nslookup', '10.96.0.20')).out).toContain('20.0.96.10.in-addr.arpa\tname = web.default');
  expect(await run('nslookup', 'nobody')).toMatchObject({
    code: 1,
    out: `${server}** server can't find nobody: NXDOMAIN\n\n`,
  });
});
