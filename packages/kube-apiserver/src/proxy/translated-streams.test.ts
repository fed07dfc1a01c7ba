/** WebSockets of newer clients, to kubelets that support them and to those that only support SPDY. */
import { systemClock } from '@coxswain/apimachinery';
import type { ApiResponse } from '@coxswain/apiserver';
import { upgradeResponse } from '@coxswain/apiserver/http/upgrade-response.ts';
import { serveSecurely, type SecureServer } from '@coxswain/apiserver/http/secure-serving.ts';
import { selfSigned } from '@coxswain/apiserver/testing/self-signed.ts';
import { HttpTransport } from '@coxswain/client/node.ts';
import { MemoryStorage } from '@coxswain/storage';
import {
  bytesOf,
  commandOverSpdy,
  commandOverWebSocket,
  exited,
  isWebSocketRequest,
  portForwardOver,
  requestHeaders,
  runRemoteCommand,
  servePortForward,
  serveRemoteCommand,
  spdyHeaders,
  webSocketTunnel,
  type CommandSession,
  type TerminalSize,
} from '@coxswain/streaming';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { assembleKubeApiServer, type AssembledApiServer } from '../assemble.ts';

type Incoming = Parameters<AssembledApiServer['served']['serve']>[0];

const admin = { name: 'admin', groups: ['system:masters'] };
const pods = '/api/v1/namespaces/streams/pods';

let kubelet: SecureServer;
let server: AssembledApiServer;
let front: SecureServer;
let client: HttpTransport;
/** The request that the kubelet received. */
let asked: { readonly url: string; readonly protocol: string; readonly headers: Incoming['headers'] }[] = [];
let sizes: TerminalSize[] = [];

beforeAll(async () => {
  const pair = { ...(await selfSigned()), host: '127.0.0.1', port: 0 };
  kubelet = await serveSecurely({ ...pair, serve: serveAsKubelet });
  server = await assembleKubeApiServer({
    storage: new MemoryStorage(),
    clock: systemClock,
    disableAdmissionPlugins: ['ServiceAccount'],
  });
  await server.start();
  front = await serveSecurely({
    ...pair,
    serve: async (incoming) => server.served.serve({ ...incoming, peer: { ...incoming.peer, user: admin } }),
  });
  client = new HttpTransport({ server: `https://127.0.0.1:${front.address.port}`, insecure: true });
  await create('/api/v1/namespaces', { metadata: { name: 'streams' } });
  await node('older', kubelet.address.port, []);
  await node('newer', kubelet.address.port, ['ExtendWebSocketsToKubelet']);
  await node('gone', 1, []);
});

afterAll(async () => {
  await client.close();
  await front.close(0);
  await server.stop();
  await kubelet.close(0);
});

beforeEach(() => {
  asked = [];
  sizes = [];
});

async function create(path: string, object: object): Promise<void> {
  const answer = await server.inProcess(admin).send({ method: 'POST', path, headers: {}, body: { object } });
  expect(answer.status).toBe(201);
}

/** Creates a node with a pod of the same name. */
async function node(name: string, port: number, declaredFeatures: readonly string[]): Promise<void> {
  const addresses = [{ type: 'InternalIP', address: '127.0.0.1' }];
  const daemonEndpoints = { kubeletEndpoint: { Port: port } };
  await create('/api/v1/nodes', {
    metadata: { name },
    status: { addresses, daemonEndpoints, declaredFeatures },
  });
  await create(pods, {
    metadata: { name },
    spec: { nodeName: name, containers: [{ name: 'c', image: 'i' }] },
  });
}

/** Echoes its input and ends with the exit code of its argument. */
async function serveAsKubelet(incoming: Incoming): Promise<ApiResponse> {
  const { headers, path, query } = incoming;
  const protocol = String(headers['sec-websocket-protocol'] ?? headers['x-stream-protocol-version'] ?? '');
  asked.push({ url: `${incoming.method} ${path}?${query}`, protocol, headers });
  const parameters = new URLSearchParams(query);
  if (path.startsWith('/portForward/')) {
    const forward = async (port: number, data: CommandSession['stdout'] & { end(): void }) => {
      if (port === 81) throw new Error('nobody listens');
      data.write(`port ${port}`);
    };
    return upgradeResponse(servePortForward({ headers, ports: ['80'], clock: systemClock, forward }));
  }
  const wanted = {
    stdin: parameters.has('input'),
    stdout: parameters.has('output'),
    stderr: parameters.has('error'),
    tty: parameters.has('tty'),
  };
  const code = Number(parameters.get('command') ?? 0);
  const run = async ({ stdin, stdout, stderr, sizes: reported }: CommandSession) => {
    if (reported !== undefined) for await (const size of reported) if (sizes.push(size) === 2) break;
    if (stdin !== undefined) for await (const chunk of bytesOf(stdin)) stdout?.write(chunk);
    stderr?.write('done');
    return exited(code, `exit status ${code}`);
  };
  return upgradeResponse(serveRemoteCommand({ headers, wanted, clock: systemClock, run }));
}

async function open(path: string, protocol: string, overSpdy = false) {
  const headers = overSpdy ? spdyHeaders(protocol) : requestHeaders([protocol]).headers;
  const answer = await client.upgrade({
    method: overSpdy ? 'POST' : 'GET',
    path: `${pods}/${path}`,
    headers,
  });
  if (answer.socket === undefined)
    return { refused: `${answer.status} ${Buffer.from(await answer.bytes()).toString()}` } as const;
  const { socket, head } = answer;
  return { socket, head, protocol: String(answer.headers['sec-websocket-protocol'] ?? protocol) };
}

async function command(path: string, protocol: string, overSpdy = false) {
  const opened = await open(path, protocol, overSpdy);
  if ('refused' in opened) throw new Error(opened.refused);
  return (overSpdy ? commandOverSpdy : commandOverWebSocket)(opened);
}

async function* texts(...parts: string[]) {
  for (const part of parts) yield Buffer.from(part);
}

const all = 'stdin=true&stdout=true&stderr=true';
const v5 = 'v5.channel.k8s.io';
const v4 = 'v4.channel.k8s.io';

describe.each([
  ['a WebSocket whose channels end, to a kubelet that knows them', 'newer', v5, `GET|${v5}`],
  ['a WebSocket whose channels end, to one that does not', 'older', v5, `POST|${v4}`],
  ['SPDY', 'older', v4, `POST|${v4}`],
])('%s', (name, pod, protocol, expected) => {
  const overSpdy = name === 'SPDY';

  test.each(['exec', 'attach'])('carries the streams of %s, and its end', async (operation) => {
    let output = '';
    let errors = '';
    const running = runRemoteCommand(
      await command(`${pod}/${operation}?${all}&command=7`, protocol, overSpdy),
      {
        stdin: texts('hello ', 'world'),
        stdout: (chunk) => void (output += String(chunk)),
        stderr: (chunk) => void (errors += String(chunk)),
        tty: false,
      },
    );

    if (operation === 'exec') await expect(running).rejects.toMatchObject({ code: 7 });
    else await running;
    expect({ output, errors }).toEqual({ output: 'hello world', errors: 'done' });
    const [method = '', spoken = ''] = expected.split('|');
    expect(asked).toHaveLength(1);
    expect(asked[0]!.url).toBe(
      `${method} /${operation}/streams/${pod}/c?input=1&output=1&error=1${operation === 'exec' ? '&command=7' : ''}`,
    );
    expect(asked[0]!.protocol).toContain(spoken);
    expect(isWebSocketRequest(asked[0]!.headers)).toBe(method === 'GET');
  });

  test('carries sizes of a terminal', async () => {
    await runRemoteCommand(await command(`${pod}/exec?stdout=1&tty=1&command=0`, protocol, overSpdy), {
      stdout: () => undefined,
      tty: true,
      sizes: (async function* () {
        yield { width: 80, height: 24 };
        yield { width: 132, height: 50 };
      })(),
    });

    expect(sizes).toEqual([
      { width: 80, height: 24 },
      { width: 132, height: 50 },
    ]);
  });
});

test('older WebSockets go to the kubelet as they are', async () => {
  let output = '';
  const running = await command(`older/exec?stdout=true&stderr=true&command=3`, v4);

  await expect(
    runRemoteCommand(running, { stdout() {}, stderr: (chunk) => void (output += String(chunk)), tty: false }),
  ).rejects.toMatchObject({ code: 3 });
  expect(output).toBe('done');
  expect(asked).toMatchObject([{ protocol: v4 }]);
});

test.each(['older', 'newer'])('ports of a pod on a node that is %s', async (pod) => {
  const opened = await open(`${pod}/portforward`, 'SPDY/3.1+portforward.k8s.io');
  if ('refused' in opened) throw new Error(opened.refused);
  expect(opened.protocol).toBe('SPDY/3.1+portforward.k8s.io');
  const forwarding = portForwardOver(webSocketTunnel({ ...opened, side: 'client' }));
  const { data } = await forwarding.forward(8080);
  let text = '';
  for await (const chunk of bytesOf(data)) text += String(chunk);
  const refused = await forwarding.forward(81);

  expect(text).toBe('port 8080');
  expect(await refused.failure).toBe('nobody listens');
  expect(asked).toMatchObject([
    { protocol: pod === 'older' ? 'portforward.k8s.io' : 'SPDY/3.1+portforward.k8s.io' },
  ]);
  forwarding.close();
  await forwarding.closed;
});

test('an unreachable kubelet is reported as the end of a command, or in the response', async () => {
  const refusal = 'dial tcp 127.0.0.1:1: connect: connection refused';
  const running = runRemoteCommand(await command('gone/exec?stdout=1&command=a', v5), {
    stdout() {},
    tty: false,
  });

  await expect(running).rejects.toThrow(
    `Internal error occurred: error sending request: Post "https://127.0.0.1:1/exec/streams/gone/c?output=1&command=a": ${refusal}`,
  );
  const opened = await open('gone/portforward', 'SPDY/3.1+portforward.k8s.io');
  expect(opened).toEqual({ refused: expect.stringMatching(/^500 .*error dialing backend: dial tcp/) });
});

test('translations are counted by who performs them', () => {
  const text = server.metrics.exposition();

  expect(text).toMatch(/apiserver_stream_translator_requests_total\{code="200"\} 3\n/);
  expect(text).toMatch(/apiserver_stream_translator_requests_total\{code="500"\} 1\n/);
  expect(text).toMatch(/apiserver_stream_tunnel_requests_total\{code="101"\} 1\n/);
  expect(text).toMatch(
    /apiserver_websocket_streaming_requests_total\{proxy_type="proxied_to_kubelet",subresource="portforward"\} 1\n/,
  );
});
