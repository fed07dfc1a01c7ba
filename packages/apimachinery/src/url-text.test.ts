import { expect, test } from 'vitest';
import { goQuote } from './go-quote.ts';
import { parseRequestUrl, parseUrl } from './url-text.ts';

const problems: readonly (readonly [text: string, problem: string])[] = [
  [':a', 'missing protocol scheme'],
  ['a b:c', 'first path segment in URL cannot contain colon'],
  ['1a://b', 'first path segment in URL cannot contain colon'],
  ['https://a\n', 'net/url: invalid control character in URL'],
  ['https://a b/c', 'invalid character " " in host name'],
  ['https://a%20b/c', 'invalid URL escape "%20"'],
  ['https://a/%zz', 'invalid URL escape "%zz"'],
  ['https://a/%', 'invalid URL escape "%"'],
  ['https://a:b', 'invalid port ":b" after host'],
  ['https://a:1:2', 'invalid port ":1:2" after host'],
  ['https://[::1', "missing ']' in host"],
  ['https://[::1]a', 'invalid port "a" after host'],
  ['https://[1.2.3.4]', 'invalid IP-literal'],
  ['https://a[::1]', 'invalid IP-literal'],
  ['https://[fe80::1%25%00]', 'invalid URL escape "%00"'],
  ['https://<a>@b', 'net/url: invalid userinfo'],
  ['https://a#%z', 'invalid URL escape "%z"'],
];

test.each(problems)('%j is refused: %s', (text, problem) => {
  expect(() => parseUrl(text)).toThrow(`parse ${goQuote(text)}: ${problem}`);
});

test('an error before the fragment does not contain the fragment', () => {
  expect(() => parseUrl('https://a:b#c')).toThrow('parse "https://a:b": invalid port ":b" after host');
});

test('the parts of a URL are as they would be written', () => {
  expect(parseUrl('HTTPS://me:p%40:x@a.example:80/b%2Fc?d=e#f%20g')).toEqual({
    scheme: 'https',
    user: 'me:p%40%3Ax',
    host: 'a.example:80',
    path: '/b/c',
    rawPath: '/b%2Fc',
    query: 'd=e',
    fragment: 'f g',
  });
  expect(parseUrl('//host/a')).toMatchObject({ scheme: '', host: 'host', path: '/a' });
  expect(parseUrl('///a')).toMatchObject({ host: '', path: '///a' });
  expect(parseUrl('https:a@b')).toMatchObject({ scheme: 'https', host: '', path: '', user: undefined });
  expect(parseUrl('a/b:c')).toMatchObject({ path: 'a/b:c' });
});

test('a URL in a request is absolute', () => {
  expect(() => parseRequestUrl('a')).toThrow('parse "a": invalid URI for request');
  expect(() => parseRequestUrl('')).toThrow('parse "": empty url');
  expect(parseRequestUrl('//host/a')).toMatchObject({ host: '', path: '//host/a' });
});
