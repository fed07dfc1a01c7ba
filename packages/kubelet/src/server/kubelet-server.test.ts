import { mkdtempSync, rmSync } from 'node:fs';
import { request as requestHttps } from 'node:https';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ManualClock } from '@coxswain/apimachinery';
import { createClient, TokenBucket } from '@coxswain/client';
import { afterEach, expect, test } from 'vitest';
import { PodServer } from '../../test/pod-server.ts';
import { defaultSettings } from '../config/kubelet-configuration.ts';
import { serveKubelet, type KubeletServer, type KubeletServerOptions } from './kubelet-server.ts';

const directory = mkdtempSync(path.join(tmpdir(), 'kubelet-port-'));
const clock = new ManualClock();
let server: KubeletServer;
afterEach(async () => {
  await server.close();
  rmSync(directory, { recursive: true });
});

const statusFor = (token: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}` };
    const options = { port: server.port, path: '/pods', headers, rejectUnauthorized: false, agent: false };
    requestHttps(options, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    })
      .once('error', reject)
      .end();
  });

test("strangers' tokens take none of the kubelet's own turns at the API server", async () => {
  const api = new PodServer();
  const client = createClient({ transport: api, rateLimiter: new TokenBucket(clock, 1, 2) });
  const settings = { ...defaultSettings, port: 0, address: '127.0.0.1' };
  const options = {
    settings,
    client,
    certDirectory: directory,
    nodeName: 'node',
    clock,
    log: () => undefined,
  };
  server = await serveKubelet(options as unknown as KubeletServerOptions);
  const strangers = Array.from({ length: 10 }, (_, at) => statusFor(`guess-${at}`));
  expect(new Set(await Promise.all(strangers))).toEqual(new Set([401]));
  expect(api.requests.filter(({ line }) => line.includes('tokenreviews'))).toHaveLength(10);
  await client.rest.request({ verb: 'GET', path: '/livez' });
  await client.rest.request({ verb: 'GET', path: '/livez' });
});
