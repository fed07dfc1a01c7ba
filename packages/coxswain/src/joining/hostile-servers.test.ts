/** The server that answers a joining machine may be hostile: its responses are limited in size and time. */
import { createServer, type Server } from 'node:https';
import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { ManualClock } from '@coxswain/apimachinery';
import { selfSigned } from '@coxswain/apiserver/testing/self-signed.ts';
import { afterEach, expect, test } from 'vitest';
import { parseBootstrapToken } from './bootstrap-token.ts';
import { discoverCluster } from './discover-cluster.ts';
import { attemptMsMax, persistently } from './persistently.ts';

const token = parseBootstrapToken('abcdef.0123456789abcdef');
let hostile: Server | undefined;
afterEach(() => hostile?.close().closeAllConnections());

async function discovery(answer: (response: ServerResponse) => void) {
  const server = createServer(await selfSigned(), (_request, response) => answer(response));
  hostile = server;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server: `https://127.0.0.1:${(server.address() as AddressInfo).port}`, token, pins: [] };
}

const json = { 'content-type': 'application/json' };
const configMap = (data: unknown) => JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', data });

test.each<readonly [string, (response: ServerResponse) => void, string]>([
  [
    'an answer without end',
    (response) => {
      let written = 0;
      const goOn = (): void => {
        while (!response.destroyed && written++ < 4_000) if (!response.write(' '.repeat(64 * 1024))) break;
        if (!response.destroyed) response.once('drain', goOn);
      };
      response.writeHead(200, json);
      goOn();
    },
    'the answer has more than 1048576 bytes',
  ],
  [
    'a small answer that unpacks to a large one',
    (response) =>
      response
        .writeHead(200, { ...json, 'content-encoding': 'gzip' })
        .end(gzipSync(Buffer.alloc(64 * 1024 * 1024, ' '))),
    'the answer has more than 1048576 bytes',
  ],
  ['no JSON', (response) => response.writeHead(200, json).end('<html>'), 'JSON'],
  [
    'another kind',
    (response) => response.writeHead(200, json).end('{"kind":"Pod"}'),
    'contains no kubeconfig',
  ],
  [
    'an object for a text',
    (response) =>
      response.writeHead(200, json).end(configMap({ kubeconfig: {}, 'jws-kubeconfig-abcdef': 'x' })),
    'can not trust this API Server',
  ],
  [
    'a signature of nobody',
    (response) =>
      response.writeHead(200, json).end(configMap({ kubeconfig: '{}', 'jws-kubeconfig-abcdef': '..' })),
    'can not trust this API Server',
  ],
])('%s is refused', async (_what, answer, message) => {
  const options = await discovery(answer);
  await expect(discoverCluster(options, AbortSignal.timeout(30_000))).rejects.toThrow(message);
});

test.each<readonly [string, (response: ServerResponse) => void]>([
  ['never answers', () => undefined],
  ['never comes to the end of its answer', (response) => void response.writeHead(200, json).write('{')],
])('who %s is given up, and asked again until the user has had enough', async (_what, answer) => {
  const clock = new ManualClock();
  const user = new AbortController();
  const asked = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let times = 0;
  const options = await discovery((response) => {
    answer(response);
    asked[times++]!.resolve();
  });
  const lines: string[] = [];
  const joining = persistently((until) => discoverCluster(options, until), {
    clock,
    signal: user.signal,
    log: (line) => void lines.push(line),
  });
  const outcome = expect(joining).rejects.toThrow('enough');
  await asked[0]!.promise;
  await clock.advance(attemptMsMax);
  await expect.poll(() => lines).toEqual(['waiting for the server: no answer within 30 seconds']);
  await clock.advance(500);
  await asked[1]!.promise;
  user.abort(new Error('enough'));
  await outcome;
});
