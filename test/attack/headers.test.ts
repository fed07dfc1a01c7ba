/** What is sent in headers stays there: it begins no line in answers and none in the log. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { attackedServer, issuer, whoIs, type AttackedServer } from './attacked-server.ts';

let attacked: AttackedServer;
beforeAll(async () => void (attacked = await attackedServer()));
afterAll(() => attacked.stop());

/** What comes back for bytes that are sent as they are, until the server ends the connection. */
async function answerTo(...lines: readonly string[]): Promise<string> {
  const socket = await attacked.connect('http/1.1');
  return new Promise((resolve) => {
    let text = '';
    socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
    socket.on('error', () => resolve(text));
    socket.on('close', () => resolve(text));
    socket.write(lines.join('\r\n'), 'latin1');
  });
}

describe('a request that could be read as two, or as another one, is refused', () => {
  const end = ['Connection: close', '', ''];

  test.each<[string, readonly string[]]>([
    ['a carriage return in a value', ['GET /version HTTP/1.1', 'Host: a', 'Audit-Id: a\rX-Evil: 1', ...end]],
    ['a zero byte in a value', ['GET /version HTTP/1.1', 'Host: a', 'Audit-Id: a\0b', ...end]],
    ['a blank before the colon', ['GET /version HTTP/1.1', 'Host: a', 'Authorization : Bearer x', ...end]],
    [
      'a length that is none, and chunks',
      ['POST /version HTTP/1.1', 'Host: a', 'Content-Length: x', 'Transfer-Encoding: chunked', ...end],
    ],
    ['two lengths', ['POST /version HTTP/1.1', 'Host: a', 'Content-Length: 4', 'Content-Length: 5', ...end]],
    ['a length that is none', ['POST /version HTTP/1.1', 'Host: a', 'Content-Length: +4', ...end]],
    [
      'chunks that are disguised',
      ['POST /version HTTP/1.1', 'Host: a', 'Transfer-Encoding: xchunked', ...end],
    ],
    ['no host', ['GET /version HTTP/1.1', ...end]],
  ])('%s', async (_what, lines) => {
    const answer = await answerTo(...lines);

    expect(answer).toMatch(/^HTTP\/1\.1 (400|501) /);
    expect(answer.match(/HTTP\/1\.1 /g)).toHaveLength(1);
    expect(answer).not.toContain('X-Evil');
  });
});

test('chunks count where there is a length, too, as in the original, and what is behind them is read once', async () => {
  const answer = await answerTo(
    'POST /version HTTP/1.1',
    'Host: a',
    'Content-Length: 4',
    'Transfer-Encoding: chunked',
    '',
    '0',
    '',
    'GET /healthz HTTP/1.1',
    'Host: a',
    'Connection: close',
    '',
    '',
  );

  expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 403', 'HTTP/1.1 200']);
});

test('headers beyond the bound end the connection, with a refusal for who still listens', async () => {
  const answer = await answerTo('GET /version HTTP/1.1', 'Host: a', `X-Long: ${'x'.repeat(1_200_000)}`, '');

  expect(answer.slice(0, 'HTTP/1.1 431'.length)).toMatch(/^(HTTP\/1\.1 4(00|31))?$/);
});

test('no header and no name of a user begins a line of the log', async () => {
  const before = attacked.logged.length;
  const nasty = `%0aFAKE%20LINE\u001b[2J`;
  const headers = {
    'user-agent': `agent\tFAKE\u00ff`,
    'audit-id': `id"} FAKE`,
    authorization: 'Bearer FAKE',
  };
  await attacked.send({ path: `/api/v1/${encodeURI(nasty)}`, headers });
  const stranger = await attacked.proxies.issue({ name: 'CN="x\\0aFAKE LINE"' });
  await whoIs(attacked, { identity: stranger });

  const added = attacked.logged.slice(before);

  expect(added.length).toBeGreaterThan(0);
  for (const line of added) {
    // oxlint-disable-next-line no-control-regex
    expect(line).not.toMatch(/[\u0000-\u0008\n\r\u001b]/);
    expect(line).not.toMatch(/^FAKE/);
  }
});

test('an audit id that is sent comes back as one header', async () => {
  const { headers } = await attacked.send({
    path: '/version',
    headers: { 'audit-id': 'a, Set-Cookie: evil=1' },
  });

  expect(headers['audit-id']).toBe('a, Set-Cookie: evil=1');
  expect(headers['set-cookie']).toBeUndefined();
});

test('the host that a request names is not where others are sent for the keys of tokens', async () => {
  const { text } = await attacked.send({
    path: '/.well-known/openid-configuration',
    as: 'admin',
    headers: { host: 'evil.example' },
  });

  expect(JSON.parse(text)).toMatchObject({ issuer });
  expect(text).toContain(`:${attacked.port}/openid/v1/jwks`);
  expect(text).not.toContain('evil');
});

test.each(['constructor', '__proto__', 'hasOwnProperty', 'toString'])(
  'a method called %s is one that nobody knows',
  async (method) => {
    const paths = [
      '/api/v1/namespaces',
      '/api/v1/namespaces/default/configmaps/__proto__',
      '/apis/constructor/v1/x',
    ];
    for (const path of paths) {
      const ask = (asked: string) =>
        answerTo(
          `${asked} ${path} HTTP/1.1`,
          'Host: a',
          'Authorization: Bearer admin-token',
          'Connection: close',
          '',
          '',
        );
      const statusOf = (text: string) => text.slice(0, text.indexOf('\r\n'));
      const known = statusOf(await ask('FROB'));
      expect(known).toMatch(/ 40[45] /);
      expect(statusOf(await ask(method))).toBe(known);
    }
  },
);
