/** The responses of upstream (Go 1.26's `net/http`) to the same bytes, recorded from a kube-apiserver 1.36.3. */
import { describe, expect, test } from 'vitest';
import { rawClient, statusesIn } from '../../testing/raw-http1.ts';

const ok = 'HTTP/1.1 200 OK';
const bad = 'HTTP/1.1 400 Bad Request';
const host = 'Host: a\r\n';
const next = `GET /next HTTP/1.1\r\n${host}\r\n`;
const line = (start: string, ...fields: string[]): string =>
  `${start}\r\n${fields.map((field) => `${field}\r\n`).join('')}\r\n`;
const post = (...fields: string[]): string => line('POST /a HTTP/1.1', 'Host: a', ...fields);

type Row = readonly [what: string, sent: string, answers: readonly string[], goesOn: boolean];

const rows: Readonly<Record<string, readonly Row[]>> = {
  'the request line': [
    ['a request without anything else', line('GET /a HTTP/1.1', 'Host: a'), [ok], true],
    ['two requests at once', line('GET /a HTTP/1.1', 'Host: a') + next, [ok, ok], true],
    ['a method nobody knows', line('FROB /a HTTP/1.1', 'Host: a') + next, [ok, ok], true],
    ['a method in lower case', line('get /a HTTP/1.1', 'Host: a'), [ok], true],
    ['a method that is no word', line('GE(T /a HTTP/1.1', 'Host: a'), [bad], false],
    ['no version', 'GET /a\r\n\r\n', [bad], false],
    ['a later version of HTTP/1', line('GET /a HTTP/1.2', 'Host: a'), [ok], true],
    [
      'another version',
      line('GET /a HTTP/3.0', 'Host: a'),
      ['HTTP/1.1 505 HTTP Version Not Supported: unsupported protocol version'],
      false,
    ],
    ['a version in lower case', line('GET /a http/1.1', 'Host: a'), [bad], false],
    ['HTTP/1.0', line('GET /a HTTP/1.0'), ['HTTP/1.0 200 OK'], false],
    ['HTTP/1.0 that stays', line('GET /a HTTP/1.0', 'Connection: keep-alive'), ['HTTP/1.0 200 OK'], true],
    ['two blanks', line('GET  /a HTTP/1.1', 'Host: a'), [bad], false],
    ['a blank in the path', line('GET /a b HTTP/1.1', 'Host: a'), [bad], false],
    ['a blank at the end', line('GET /a HTTP/1.1 ', 'Host: a'), [bad], false],
    ['tabs', line('GET\t/a\tHTTP/1.1', 'Host: a'), [bad], false],
    ['an empty line before it', `\r\n${line('GET /a HTTP/1.1', 'Host: a')}`, [bad], false],
    ['an empty line behind a GET', `${line('GET /a HTTP/1.1', 'Host: a')}\r\n${next}`, [ok, bad], false],
    ['an empty line behind a POST', `${post('Content-Length: 2')}ab\r\n${next}`, [ok, ok], true],
    ['two empty lines behind a POST', `${post('Content-Length: 2')}ab\r\n\r\n${next}`, [ok, ok], true],
    [
      'three empty lines behind a POST',
      `${post('Content-Length: 2')}ab\r\n\r\n\r\n${next}`,
      [ok, bad],
      false,
    ],
  ],
  'the target': [
    ['a URL', line('GET https://other:1/a?x HTTP/1.1', 'Host: a'), [ok], true],
    ['a URL without a path', line('GET https://other HTTP/1.1', 'Host: a'), [ok], true],
    ['a scheme alone', line('GET foo:bar HTTP/1.1', 'Host: a'), [ok], true],
    ['no path', line('GET a HTTP/1.1', 'Host: a'), [bad], false],
    ['a star', line('GET * HTTP/1.1', 'Host: a'), [ok], true],
    ['all of the server', line('OPTIONS * HTTP/1.1', 'Host: a'), [ok], true],
    ['an authority', line('CONNECT a:443 HTTP/1.1', 'Host: a') + next, [ok, ok], true],
    ['an authority without a host', line('CONNECT a:443 HTTP/1.1'), [ok], true],
    ['a broken escape', line('GET /a%zz HTTP/1.1', 'Host: a'), [bad], false],
    ['a control character', line('GET /a\u0001 HTTP/1.1', 'Host: a'), [bad], false],
    ['a byte beyond ASCII', line('GET /a\u00e4 HTTP/1.1', 'Host: a'), [ok], true],
  ],
  fields: [
    ['lines that end in LF', 'GET /a HTTP/1.1\nHost: a\n\n', [ok], true],
    ['a value in two lines', line('GET /a HTTP/1.1', 'Host: a', 'X: b', ' c'), [ok], true],
    ['a blank before the first', line('GET /a HTTP/1.1', ' X: y', 'Host: a'), [bad], false],
    ['no host', line('GET /a HTTP/1.1'), [`${bad}: missing required Host header`], false],
    ['an empty host', line('GET /a HTTP/1.1', 'Host:'), [ok], true],
    ['two hosts', line('GET /a HTTP/1.1', 'Host: a', 'Host: a'), [bad], false],
    ['a host that is none', line('GET /a HTTP/1.1', 'Host: a b'), [`${bad}: malformed Host header`], false],
    [
      'a blank before the colon',
      line('GET /a HTTP/1.1', 'Host: a', 'X : y'),
      [`${bad}: invalid header name`],
      false,
    ],
    ['no colon', line('GET /a HTTP/1.1', 'Host: a', 'X'), [bad], false],
    ['no name', line('GET /a HTTP/1.1', 'Host: a', ': y'), [bad], false],
    ['a name that is no word', line('GET /a HTTP/1.1', 'Host: a', 'a(b: y'), [bad], false],
    ['a zero byte', line('GET /a HTTP/1.1', 'Host: a', 'X: a\0b'), [bad], false],
    ['a carriage return', line('GET /a HTTP/1.1', 'Host: a', 'X: a\rb'), [bad], false],
    ['a byte beyond ASCII', line('GET /a HTTP/1.1', 'Host: a', 'X: \u00ff'), [ok], true],
    [
      'more than a megabyte',
      line('GET /a HTTP/1.1', 'Host: a', `X: ${'x'.repeat(1_100_000)}`),
      ['HTTP/1.1 431 Request Header Fields Too Large'],
      false,
    ],
    [
      'many short fields',
      `GET /a HTTP/1.1\r\n${host}${'b:\n'.repeat(40_000)}\r\n`,
      ['HTTP/1.1 431 Request Header Fields Too Large'],
      false,
    ],
    [
      'a long value',
      line('GET /a HTTP/1.1', 'Host: a', `Authorization: Bearer ${'b'.repeat(70_000)}`),
      ['HTTP/1.1 431 Request Header Fields Too Large'],
      false,
    ],
    ['nearly a megabyte', line('GET /a HTTP/1.1', 'Host: a', `X: ${'x'.repeat(1_000_000)}`), [ok], true],
    ['twenty thousand', line('GET /a HTTP/1.1', 'Host: a', ...Array(20_000).fill('X: y')), [ok], true],
  ],
  'where the body ends': [
    ['a length', `${post('Content-Length: 2')}ab${next}`, [ok, ok], true],
    ['a length with zeros', `${post('Content-Length: 002')}ab${next}`, [ok, ok], true],
    [
      'a length of a GET',
      `${line('GET /a HTTP/1.1', 'Host: a', 'Content-Length: 2')}ab${next}`,
      [ok, ok],
      true,
    ],
    ['no length', `${line('DELETE /a HTTP/1.1', 'Host: a')}{"a":1}\r\n\r\n`, [ok, bad], false],
    ['the same length twice', `${post('Content-Length: 2', 'Content-Length: 2')}ab${next}`, [ok, ok], true],
    ['two lengths', `${post('Content-Length: 2', 'Content-Length: 3')}abc`, [bad], false],
    ['two lengths in a line', `${post('Content-Length: 2, 2')}ab`, [bad], false],
    ['a length with a sign', `${post('Content-Length: +2')}ab`, [bad], false],
    ['a length that is none', `${post('Content-Length: x')}ab`, [bad], false],
    ['an empty length', post('Content-Length:'), [bad], false],
    ['a length beyond all numbers', post('Content-Length: 99999999999999999999'), [bad], false],
    [
      'a length and chunks',
      `${post('Content-Length: 2', 'Transfer-Encoding: chunked')}3\r\nabc\r\n0\r\n\r\n${next}`,
      [ok, ok],
      true,
    ],
    [
      'a length that is none, and chunks',
      post('Content-Length: x', 'Transfer-Encoding: chunked'),
      [bad],
      false,
    ],
    ['chunks', `${post('Transfer-Encoding: CHUNKED')}3\r\nabc\r\n0\r\n\r\n${next}`, [ok, ok], true],
    ['extensions', `${post('Transfer-Encoding: chunked')}3;a="b"\r\nabc\r\n0\r\n\r\n${next}`, [ok, ok], true],
    [
      'a blank behind a size',
      `${post('Transfer-Encoding: chunked')}3 \r\nabc\r\n0\r\n\r\n${next}`,
      [ok, ok],
      true,
    ],
    ['trailers', `${post('Transfer-Encoding: chunked')}3\r\nabc\r\n0\r\nX: y\r\n\r\n${next}`, [ok, ok], true],
    ['a length in the trailers', post('Transfer-Encoding: chunked', 'Trailer: Content-Length'), [bad], false],
    ...['gzip, chunked', 'identity', 'xchunked', ''].map((coding): Row => [
      `the coding "${coding}"`,
      post(`Transfer-Encoding: ${coding}`),
      ['HTTP/1.1 501 Not Implemented'],
      false,
    ]),
    [
      'chunks twice',
      post('Transfer-Encoding: chunked', 'Transfer-Encoding: chunked'),
      ['HTTP/1.1 501 Not Implemented'],
      false,
    ],
    [
      'chunks of HTTP/1.0',
      line('POST /a HTTP/1.0', 'Transfer-Encoding: chunked'),
      ['HTTP/1.0 200 OK'],
      false,
    ],
  ],
  'the end': [
    [
      'garbage behind the last answer',
      `${line('GET /a HTTP/1.1', 'Host: a', 'Connection: close')}x\r\n\r\n`,
      [ok],
      false,
    ],
    [
      'a request behind the last answer',
      line('GET /a HTTP/1.1', 'Host: a', 'Connection: x, Close') + next,
      [ok],
      false,
    ],
    [
      'another expectation',
      line('GET /a HTTP/1.1', 'Host: a', 'Expect: coffee'),
      ['HTTP/1.1 417 Expectation Failed'],
      false,
    ],
    [
      'another protocol that nobody speaks',
      line('GET /a HTTP/1.1', 'Host: a', 'Connection: Upgrade', 'Upgrade: h2c') + next,
      [ok, ok],
      true,
    ],
  ],
};

describe.each(Object.entries(rows))('%s', (_part, cases) => {
  test.each(cases)('%s', async (_what, sent, answers, goesOn) => {
    const { send, received, isClosed } = rawClient();

    await send(sent);

    expect([statusesIn(received()), !isClosed()]).toEqual([answers, goesOn]);
  });
});

const broken: readonly (readonly [text: string, body: string])[] = [
  ['invalid byte in chunk length', 'zz\r\nabc\r\n0\r\n\r\n'],
  ['malformed chunked encoding', '3\r\nabcd\r\n0\r\n\r\n'],
  ['chunked line ends with bare LF', '3\nabc\n0\n\n'],
  ['http chunk length too large', 'fffffffffffffffff\r\na\r\n'],
  ['chunked encoding contains too much non-data', `1;${'x'.repeat(2000)}\r\na\r\n`.repeat(20)],
  ['header line too long', `1;${'x'.repeat(5000)}\r\na\r\n`],
];

test.each(broken)(
  'a body that breaks off with "%s" is told so, and nothing behind it is a request',
  async (text, body) => {
    const failures: string[] = [];
    const { send, received, isClosed, served } = rawClient(async ({ body: sent }) => {
      const read = sent.kind === 'stream' ? sent.stream.read(100_000) : undefined;
      await read?.catch((failure: Error) => failures.push(failure.message));
      return { status: 200, headers: {}, body: { kind: 'none' } };
    });

    await send(post('Transfer-Encoding: chunked') + body + next);

    expect(failures).toEqual([text]);
    expect([statusesIn(received()), isClosed(), served]).toEqual([[ok], true, []]);
  },
);
