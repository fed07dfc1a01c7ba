import { createHash } from 'node:crypto';
import { request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { serveDocs, type DocsServer } from './docs-server.ts';

const early = 'document.title';
const pages = {
  'index.html': `<script id="early">${early}</script><script src="/assets/app.js"></script>`,
  'learn/objects.html': 'objects',
  'zh/index.html': '对象',
  '404.html': 'nothing here',
  'assets/app.js': 'export {};',
};
const files = new Map(Object.entries(pages).map(([name, text]) => [name, new TextEncoder().encode(text)]));
let server: DocsServer;

beforeAll(async () => {
  server = await serveDocs(files, 0);
});
afterAll(() => server.close());

const read = (path: string, init?: RequestInit) => fetch(new URL(path, server.link), init);

test('files are served under their names, and directories by their index', async () => {
  expect(await (await read('learn/objects.html?from=search')).text()).toBe('objects');
  expect(await (await read('zh/')).text()).toBe('对象');
  const script = await read('assets/app.js');
  expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
});

test('a missing or invalid path is answered with 404 and its page', async () => {
  for (const path of ['else', '%E0%A4%A', '../package.json']) {
    const answer = await read(path);
    expect([answer.status, await answer.text()]).toEqual([404, 'nothing here']);
  }
});

test('scripts run if they are files of the site or the ones that every page has, and nothing comes from elsewhere', async () => {
  const policy = (await read('')).headers.get('content-security-policy')!.split('; ');
  const hash = createHash('sha256').update(early).digest('base64');
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain(`script-src 'self' 'sha256-${hash}'`);
});

test('only reading is answered, and only at the names of this machine', async () => {
  expect((await read('', { method: 'POST' })).status).toBe(405);
  expect(await statusFor('rebound.example')).toBe(421);
});

const statusFor = (host: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const sent = request(server.link, { headers: { host } }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    });
    sent.on('error', reject);
    sent.end();
  });
