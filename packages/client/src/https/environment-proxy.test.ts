import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { environmentProxy } from './environment-proxy.ts';
import { HttpTransport } from './http-transport.ts';

const through = (server: string, environment: Record<string, string>): string | undefined =>
  environmentProxy(new URL(server), { HTTPS_PROXY: 'http://proxy:3128', ...environment });

test('each scheme has its proxy; names in small letters count where large ones are not set', () => {
  expect(through('https://example.com', {})).toBe('http://proxy:3128');
  expect(through('http://example.com', {})).toBeUndefined();
  expect(through('http://example.com', { http_proxy: 'plain:80' })).toBe('http://plain:80');
  expect(through('http://example.com', { HTTP_PROXY: 'plain:80', REQUEST_METHOD: 'GET' })).toBeUndefined();
  expect(through('https://example.com', { HTTPS_PROXY: '', https_proxy: 'socks5://s:1080' })).toBe(
    'socks5://s:1080',
  );
});

test.each(['localhost', '127.0.0.1', '127.8.9.10', '[::1]'])('%s needs no proxy', (host) => {
  expect(through(`https://${host}:6443`, {})).toBeUndefined();
});

test.each([
  ['*', 'example.com', true],
  ['example.com', 'example.com', true],
  ['example.com', 'api.example.com', true],
  ['example.com', 'anexample.com', false],
  ['.example.com', 'api.example.com', true],
  ['.example.com', 'example.com', false],
  ['*.example.com', 'api.example.com', true],
  ['EXAMPLE.com ', 'example.com', true],
  ['other.com, example.com', 'example.com', true],
  ['example.com:6443', 'example.com', true],
  ['example.com:443', 'example.com', false],
  ['10.0.0.0/8', '10.1.2.3', true],
  ['10.0.0.0/8', '11.1.2.3', false],
  ['10.1.2.3', '10.1.2.3', true],
  ['10.1.2.3:6443', '10.1.2.3', true],
  ['10.1.2.3:443', '10.1.2.3', false],
  ['fd00::/8', '[fd00::1]', true],
  ['fd00::1', '[fd00::1]', true],
  ['fd00:0::1', '[fd00::1]', true],
  ['[fd00::1]:6443', '[fd00::1]', true],
  ['', 'example.com', false],
  [':6443', 'example.com', false],
])('NO_PROXY=%s and the server %s: %s', (exceptions, host, isExcepted) => {
  expect(through(`https://${host}:6443`, { NO_PROXY: exceptions }) === undefined).toBe(isExcepted);
});

test('requests go through the proxy of the environment, but for a proxy of their own', async () => {
  const asked: string[] = [];
  const proxy = createServer().on('connect', ({ url }, socket) => {
    asked.push(url ?? '');
    socket.write('HTTP/1.1 200 OK\r\n\r\n');
    socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}'));
  });
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void proxy.close());
  vi.stubEnv('HTTP_PROXY', `127.0.0.1:${(proxy.address() as AddressInfo).port}`);
  onTestFinished(() => void vi.unstubAllEnvs());
  const transport = new HttpTransport({ server: 'http://cluster.example' });
  const { status } = await transport.send({ method: 'GET', path: '/version', headers: {} });
  expect([status, asked]).toEqual([200, ['cluster.example:80']]);
  await transport.close();
});
