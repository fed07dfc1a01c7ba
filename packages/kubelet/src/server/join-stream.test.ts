/** Client streams served by a runtime, whichever protocol it supports. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ManualClock } from '@coxswain/apimachinery';
import { ApiRequest } from '@coxswain/apiserver';
import { serveSecurely, type SecureServer } from '@coxswain/apiserver/http/secure-serving.ts';
import { selfSigned } from '@coxswain/apiserver/testing/self-signed.ts';
import { HttpTransport } from '@coxswain/client/node.ts';
import {
  bytesOf,
  commandOverSpdy,
  commandOverWebSocket,
  exited,
  portForwardOver,
  requestHeaders,
  runRemoteCommand,
  servePortForward,
  serveRemoteCommand,
  spdyHeaders,
  webSocketTunnel,
} from '@coxswain/streaming';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { joinCommand, joinPortForward } from './join-stream.ts';

const wanted = { stdin: true, stdout: true, stderr: false, tty: false };
const clock = new ManualClock();
const tunnel = 'SPDY/3.1+portforward.k8s.io';
const newest: readonly string[] = ['v5.channel.k8s.io', tunnel];

let runtime: Server;
let kubelet: SecureServer;
let client: HttpTransport;
let translated = 0;

beforeAll(async () => {
  runtime = createServer();
  runtime.on('upgrade', (request, socket, head) => {
    const { headers, url = '' } = request;
    // Like runtimes that support nothing newer.
    if (newest.includes(headers['sec-websocket-protocol'] ?? ''))
      return socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
    const reply = url.startsWith('/ports')
      ? servePortForward({
          headers,
          ports: [],
          clock,
          forward: async (port, data) => void data.write(`port ${port}`),
        })
      : serveRemoteCommand({
          headers,
          wanted,
          clock,
          async run({ stdin, stdout }) {
            for await (const chunk of bytesOf(stdin!)) stdout!.write(chunk);
            return exited(5, 'it did');
          },
        });
    if (!('accept' in reply)) return socket.end(`HTTP/1.1 ${reply.status} No\r\n\r\n${reply.text}`);
    const lines = Object.entries(reply.headers).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join('')}\r\n`);
    reply.accept(socket, head);
  });
  await new Promise<void>((resolve) => runtime.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(runtime.address() as AddressInfo).port}`;
  const onTranslated = () => void translated++;
  kubelet = await serveSecurely({
    ...(await selfSigned()),
    host: '127.0.0.1',
    port: 0,
    async serve(incoming) {
      const request = new ApiRequest(incoming);
      return incoming.path === '/ports'
        ? joinPortForward(request, { url: `${url}/ports`, onTranslated })
        : joinCommand(request, { url: `${url}/command`, wanted, onTranslated });
    },
  });
  client = new HttpTransport({ server: `https://127.0.0.1:${kubelet.address.port}`, insecure: true });
});

afterAll(async () => {
  await client.close();
  await kubelet.close(0);
  runtime.closeAllConnections();
  runtime.close();
});

async function open(path: string, headers: Record<string, string>) {
  const answer = await client.upgrade({ method: 'GET', path, headers });
  if (answer.socket === undefined) throw new Error(`${answer.status}`);
  return answer;
}

test.each([
  ['v5.channel.k8s.io', requestHeaders(['v5.channel.k8s.io']).headers, 1],
  ['v4.channel.k8s.io', spdyHeaders('v4.channel.k8s.io'), 0],
])('a command over %s', async (protocol, headers, translations) => {
  translated = 0;
  const { socket, head } = await open('/command', headers);
  const connection = (translations > 0 ? commandOverWebSocket : commandOverSpdy)({ socket, head, protocol });
  let output = '';
  const running = runRemoteCommand(connection, {
    stdin: (async function* () {
      yield Buffer.from('hello');
    })(),
    stdout: (chunk) => void (output += String(chunk)),
    tty: false,
  });

  await expect(running).rejects.toMatchObject({ code: 5 });
  expect(output).toBe('hello');
  expect(translated).toBe(translations);
});

test.each([
  ['a tunnel', requestHeaders([tunnel]).headers],
  ['SPDY', spdyHeaders('portforward.k8s.io')],
])('a port through %s', async (name, headers) => {
  const { socket, head } = await open('/ports', headers);
  const carrier = name === 'SPDY' ? socket : webSocketTunnel({ socket, head, side: 'client' });
  const forwarding = portForwardOver(carrier);
  const { data } = await forwarding.forward(80);
  let text = '';
  for await (const chunk of bytesOf(data)) text += String(chunk);

  expect(text).toBe('port 80');
  forwarding.close();
  await forwarding.closed;
});
