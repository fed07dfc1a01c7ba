import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createHttp, type IncomingMessage, type Server } from 'node:http';
import { createServer as createHttp2, type ServerHttp2Stream } from 'node:http2';
import { createServer as createHttps } from 'node:https';
import { connect, type AddressInfo, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ManualClock, systemClock } from '@coxswain/apimachinery';
import { Metrics } from '@coxswain/apimachinery/metrics/metrics.ts';
import { ApiRequest, noBody } from '@coxswain/apiserver';
import { responseBytes } from '@coxswain/apiserver/http/in-process.ts';
import { selfSigned } from '@coxswain/apiserver/testing/self-signed.ts';
import { GrpcChannel } from '@coxswain/grpc/client/channel.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { httpsClient } from '../authentication/jwt/https-client.ts';
import { kubeconfigWebhooks } from '../kubeconfig-webhook.ts';
import { networkForwarder } from '../proxy/network-forwarder.ts';
import type { ForwardTarget } from '../proxy/forwarder.ts';
import { networkWebhookCaller } from '../webhooks/network-webhook-caller.ts';
import { webhookEndpoint } from '../webhooks/webhook-endpoint.ts';
import { loadEgressSelector } from './egress-selector.ts';

const directory = mkdtempSync(path.join(tmpdir(), 'coxswain-egress-'));
const socketPath = path.join(directory, 'proxy.sock');
const open: { close(): unknown; closeAllConnections?(): void }[] = [];
/** The tunnels that proxies were asked for, and by whom. */
const tunnels: string[] = [];

/** A proxy that resolves names which nobody else knows, and refuses one port. */
function takeConnect(name: string) {
  return (request: IncomingMessage, client: Duplex): void => {
    const [host = '', port = ''] = (request.url ?? '').split(':');
    tunnels.push(`${name} ${host}`);
    if (port === '1') return void client.end('HTTP/1.1 503 Service Unavailable\r\n\r\n');
    const target = connect(Number(port), '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      client.pipe(target);
      target.pipe(client);
    });
    for (const end of [target, client])
      end.on('error', () => [target, client].forEach((one) => one.destroy()));
  };
}

const listening = async (server: Server, at: string | number = 0): Promise<number> => {
  open.push(server);
  await new Promise<void>((resolve) =>
    typeof at === 'string' ? server.listen(at, resolve) : server.listen(at, '127.0.0.1', resolve),
  );
  return typeof at === 'string' ? 0 : (server.address() as AddressInfo).port;
};

let pair: { readonly key: string; readonly cert: string };
let plainPort: number;
let securePort: number;
let grpcPort: number;
const proxies = { tcp: 0, tls: 0 };

beforeAll(async () => {
  pair = await selfSigned('backend.example');
  const proxyPair = await selfSigned('proxy.example');
  writeFileSync(path.join(directory, 'proxy.crt'), proxyPair.cert);
  writeFileSync(path.join(directory, 'client.crt'), pair.cert);
  writeFileSync(path.join(directory, 'client.key'), pair.key);
  const answer = (request: IncomingMessage, response: { end(text: string): void }) =>
    response.end(JSON.stringify({ path: request.url }));
  const plain = createHttp(answer).on('upgrade', (_request, socket: Socket) => {
    socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\n\r\n');
    socket.end('joined');
  });
  plainPort = await listening(plain);
  securePort = await listening(createHttps(pair, answer));
  const grpc = createHttp2().on('stream', (stream: ServerHttp2Stream) => {
    stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
    stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
    stream.end(Buffer.from([0, 0, 0, 0, 1, 42]));
  });
  grpcPort = await listening(grpc as unknown as Server);
  proxies.tcp = await listening(createHttp().on('connect', takeConnect('tcp')));
  await listening(createHttp().on('connect', takeConnect('uds')), socketPath);
  const secure = createHttps({ ...proxyPair, ca: pair.cert, requestCert: true, rejectUnauthorized: true });
  proxies.tls = await listening(secure.on('connect', takeConnect('tls')));
});

afterAll(() => {
  for (const server of open) {
    server.closeAllConnections?.();
    server.close();
  }
  rmSync(directory, { recursive: true });
});

function selectorOf(connections: Readonly<Record<string, object>>) {
  const file = path.join(directory, 'egress.yaml');
  writeFileSync(
    file,
    JSON.stringify({
      apiVersion: 'apiserver.k8s.io/v1beta1',
      kind: 'EgressSelectorConfiguration',
      egressSelections: Object.entries(connections).map(([name, connection]) => ({ name, connection })),
    }),
  );
  return loadEgressSelector(file, new ManualClock());
}

const through = (transport: object) => ({ proxyProtocol: 'HTTPConnect', transport });
const overTcp = () => through({ tcp: { url: `http://127.0.0.1:${proxies.tcp}` } });
const overSocket = () => through({ uds: { udsName: socketPath } });
const overTls = () =>
  through({
    tcp: {
      url: `https://127.0.0.1:${proxies.tls}`,
      tlsConfig: {
        caBundle: path.join(directory, 'proxy.crt'),
        clientCert: path.join(directory, 'client.crt'),
        clientKey: path.join(directory, 'client.key'),
        tlsServerName: 'proxy.example',
      },
    },
  });

function requestOf(headers: Readonly<Record<string, string>> = {}): ApiRequest {
  return new ApiRequest({
    method: 'GET',
    path: '/',
    query: '',
    headers,
    body: noBody,
    peer: { address: '', tls: false, protocol: 'HTTP/1.1' },
    structured: false,
    signal: () => new AbortController().signal,
  });
}

const target = (port: number, scheme: 'http' | 'https' = 'http'): ForwardTarget => ({
  scheme,
  host: 'pod.example',
  port: String(port),
  path: '/there',
});

async function forwarded(connection: object, to: ForwardTarget): Promise<string> {
  const forwarder = networkForwarder({}, {}, selectorOf({ cluster: connection }).dialOf('cluster'));
  const answer = await forwarder.forward(requestOf(), to);
  return Buffer.from(await responseBytes(answer, AbortSignal.timeout(10_000))).toString();
}

const tunnelsOf = async (act: () => Promise<unknown>): Promise<readonly string[]> => {
  const before = tunnels.length;
  await act();
  return tunnels.slice(before);
};

test.each([
  ['tcp', overTcp],
  ['uds', overSocket],
  ['tls', overTls],
])('a pod is reached through a proxy over %s, by the name that only the proxy knows', async (name, proxy) => {
  const seen = await tunnelsOf(async () => {
    expect(await forwarded(proxy(), target(plainPort))).toBe('{"path":"/there"}');
    expect(await forwarded(proxy(), target(securePort, 'https'))).toBe('{"path":"/there"}');
  });
  expect(seen).toEqual([`${name} pod.example`, `${name} pod.example`]);
});

test('a connection without TLS to a proxy that requires it fails with a clear error', async () => {
  const plain = through({ tcp: { url: `http://127.0.0.1:${proxies.tls}` } });
  await expect(forwarded(plain, target(plainPort))).rejects.toThrow(
    `reading HTTP response from CONNECT to pod.example:${plainPort} via proxy 127.0.0.1:${proxies.tls} failed: `,
  );
});

test('exec and its like are carried through the proxy', async () => {
  const forwarder = networkForwarder({}, {}, selectorOf({ cluster: overTcp() }).dialOf('cluster'));
  const seen = await tunnelsOf(async () => {
    const answer = await forwarder.forward(
      requestOf({ connection: 'Upgrade', upgrade: 'SPDY/3.1' }),
      target(plainPort),
    );
    expect(answer.status).toBe(101);
  });
  expect(seen).toEqual(['tcp pod.example']);
});

test("the proxy's refusals are reported in its words, and counted like failed connections", async () => {
  const selector = selectorOf({ cluster: overTcp(), etcd: through({ uds: { udsName: '/nowhere.sock' } }) });
  const metrics = new Metrics();
  selector.countIn(metrics);
  await expect(selector.dialOf('cluster')!('pod.example', 1)).rejects.toThrow(
    `proxy error from 127.0.0.1:${proxies.tcp} while dialing pod.example:1, code 503: 503 Service Unavailable`,
  );
  await expect(selector.dialOf('etcd')!('etcd.example', 2379)).rejects.toThrow(
    'dial unix /nowhere.sock: connect: no such file or directory',
  );
  (await selector.dialOf('cluster')!('pod.example', plainPort)).destroy();
  const reported = metrics.exposition();
  for (const line of [
    'dial_start_total{protocol="http_connect",transport="tcp"} 2',
    'dial_failure_count{protocol="http_connect",stage="proxy",transport="tcp"} 1',
    'dial_failure_count{protocol="http_connect",stage="connect",transport="uds"} 1',
    'dial_duration_seconds_count{protocol="http_connect",transport="tcp"} 1',
  ])
    expect(reported).toContain(`apiserver_egress_dialer_${line}\n`);
});

test('webhooks behind services go into the cluster, those with addresses to the control plane', async () => {
  const selector = selectorOf({ cluster: overTcp(), controlplane: overSocket() });
  const caller = networkWebhookCaller(
    ({ name }) => Promise.resolve({ host: `${name}.example`, port: String(securePort) }),
    { services: selector.dialOf('cluster'), addresses: selector.dialOf('controlplane') },
  );
  const call = (clientConfig: Parameters<typeof webhookEndpoint>[0]) =>
    caller
      .send({
        endpoint: webhookEndpoint({ ...clientConfig, caBundle: btoa(pair.cert) }),
        method: 'POST',
        path: '/',
        body: '{}',
        signal: AbortSignal.timeout(10_000),
      })
      .catch((failure: Error) => failure.message);
  const seen = await tunnelsOf(async () => {
    await call({ service: { namespace: 'a', name: 'hook' } });
    await call({ url: `https://backend.example:${securePort}/` });
    await call({ url: `https://localhost:${securePort}/` });
  });
  caller.close();
  expect(seen).toEqual(['tcp hook.example', 'uds backend.example', 'uds localhost']);
});

test('a webhook of a kubeconfig file, an issuer of tokens and an etcd are reached through proxies', async () => {
  const selector = selectorOf({ controlplane: overSocket(), etcd: overTcp() });
  const kubeconfig = path.join(directory, 'kubeconfig');
  writeFileSync(
    kubeconfig,
    JSON.stringify({
      clusters: [{ name: 'c', cluster: { server: `http://hook.example:${plainPort}/ask` } }],
      contexts: [{ name: 'x', context: { cluster: 'c', user: '' } }],
      'current-context': 'x',
    }),
  );
  const channel = new GrpcChannel({
    endpoints: [`http://etcd.example:${grpcPort}`],
    clock: systemClock,
    dial: selector.dialOf('etcd'),
  });
  const seen = await tunnelsOf(async () => {
    const connect = kubeconfigWebhooks(selector.dialOf('controlplane'));
    expect((await connect(kubeconfig, 10_000).post('{}')).body).toBe('{"path":"/ask?timeout=10s"}');
    const get = httpsClient(selector)(pair.cert, 'controlplane');
    expect((await get(`https://backend.example:${securePort}/keys`)).body).toBe('{"path":"/keys"}');
    expect([...(await channel.unary('/etcdserverpb.KV/Range', new Uint8Array()))]).toEqual([42]);
  });
  channel.close();
  expect(seen).toEqual(['uds hook.example', 'uds backend.example', 'tcp etcd.example']);
});

test('explicit direct connections are distinguished from unconfigured ones', () => {
  const selector = selectorOf({ Cluster: { proxyProtocol: 'Direct' } });
  expect([selector.dialOf('cluster'), selector.isSaid('cluster'), selector.isSaid('etcd')]).toEqual([
    undefined,
    true,
    false,
  ]);
});

/** Upstream's responses. */
test.each([
  [
    { foo: { proxyProtocol: 'Direct' } },
    ': Unsupported value: "foo": supported values: "cluster", "controlplane", "etcd"',
  ],
  [
    { cluster: { proxyProtocol: 'Direct' }, Cluster: { proxyProtocol: 'Direct' } },
    '[1]: Duplicate value: "cluster"',
  ],
  [
    { cluster: { proxyProtocol: 'Direct', transport: { uds: { udsName: '/x' } } } },
    '.transport: Invalid value: "direct": config must be absent for direct connect',
  ],
  [
    { cluster: { proxyProtocol: 'Foo' } },
    '.protocol: Unsupported value: "Foo": supported values: "Direct", "HTTPConnect", "GRPC"',
  ],
  [
    { cluster: { proxyProtocol: 'HTTPConnect' } },
    '.transport: Required value: transport must be set for HTTPConnect',
  ],
  [{ cluster: through({}) }, '.tcp: Required value: One of TCP or UDS must be set'],
  [
    {
      cluster: through({ tcp: { url: 'https://a', tlsConfig: { caBundle: '/a' } }, uds: { udsName: '/x' } }),
    },
    '.tcp: Invalid value: {"URL":"https://a","TLSConfig":{"CABundle":"/a","ClientKey":"","ClientCert":"","TLSServerName":""}}: TCP and UDS cannot both be set',
  ],
  [
    { cluster: through({ tcp: { url: 'ftp://a' } }) },
    '.url: Invalid value: "ftp://a": supported connection protocols are http:// and https://',
  ],
  [
    { cluster: through({ tcp: { url: 'http://a', tlsConfig: { caBundle: '/a' } } }) },
    '.tlsConfig: Invalid value: "nil": config must not be present when using HTTP',
  ],
  [
    { cluster: through({ tcp: { url: 'https://a' } }) },
    '.tlsConfig: Required value: TLSConfig must be present when using HTTPS',
  ],
  [{ cluster: through({ uds: {} }) }, '.udsName: Invalid value: "nil": must be present for UDS connections'],
  [
    { cluster: { proxyProtocol: 'GRPC', transport: { tcp: { url: 'https://a' } } } },
    '.uds: Required value: UDS must be set with GRPC',
  ],
])(
  'a configuration that makes no sense is refused in the words of the original: %j',
  (connections, problem) => {
    expect(() => selectorOf(connections)).toThrow(
      `failed to validate egress selector configuration: service.connection${problem}`,
    );
  },
);

test('all missing files are reported together', () => {
  const tlsConfig = { caBundle: '/nope', clientCert: '/nope2' };
  expect(() => selectorOf({ cluster: through({ tcp: { url: 'https://a', tlsConfig } }) })).toThrow(
    'failed to validate egress selector configuration: [service.connection.tlsConfig.caBundle: Invalid value: "/nope": TLS config ca bundle does not exist, service.connection.tlsConfig.clientCert: Invalid value: "/nope2": TLS client cert does not exist, service.connection.tlsConfig.clientKey: Invalid value: "nil": Using TLS requires requires clientKey]',
  );
});

test('unknown members are refused, and so is a gRPC proxy', () => {
  expect(() => selectorOf({ cluster: { proxyProtocol: 'Direct', foo: 1 } })).toThrow(
    'failed to read egress selector config: strict decoding error: unknown field "egressSelections[0].connection.foo"',
  );
  expect(() =>
    selectorOf({ cluster: { proxyProtocol: 'GRPC', transport: { uds: { udsName: '/x' } } } }),
  ).toThrow('proxyProtocol GRPC (of egressSelection "cluster") is not supported by this server');
});
