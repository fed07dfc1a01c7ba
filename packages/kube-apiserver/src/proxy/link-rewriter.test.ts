import { expect, test } from 'vitest';
import { LinkRewriter } from './link-rewriter.ts';

const prefix = '/api/v1/namespaces/shop/services/web/proxy';
const hosts = ['10.0.0.7:80', 'cluster.example:6443'];

function rewritten(page: string, pieceLength = page.length): string {
  const links = new LinkRewriter(prefix, hosts);
  let result = '';
  for (let at = 0; at < page.length; at += pieceLength)
    result += links.push(page.slice(at, at + pieceLength));
  return result + links.end();
}

test.each([
  ['<a href="/there">x</a>', `<a href="${prefix}/there">x</a>`],
  ["<A HREF='/there/'>x</A>", `<A HREF='${prefix}/there/'>x</A>`],
  ['<form action=/send method=post>', `<form action=${prefix}/send method=post>`],
  ['<img alt="/a > b" src="/i.png" />', `<img alt="/a > b" src="${prefix}/i.png" />`],
  ['<a href="http://10.0.0.7:80/x?y=/z">', `<a href="${prefix}/x?y=/z">`],
  ['<a href="//cluster.example:6443/x">', `<a href="${prefix}/x">`],
])('a link to the root of the server leads through the proxy: %s', (page, expected) => {
  expect(rewritten(page)).toBe(expected);
  // However it is split into pieces.
  for (const length of [1, 2, 7]) expect(rewritten(page, length)).toBe(expected);
});

test.each([
  '<a href="next">x</a>',
  '<a href="https://elsewhere.example/there">x</a>',
  '<a href="mailto:/a@b">x</a>',
  `<a href="${prefix}/there">x</a>`,
  '<p title="/there" data-href="/there">1 < 2 <3</p>',
  '<!-- <a href="/there"> -->',
  '<script>if (a < b) write(\'<a href="/there">\')</script>',
  '<a href="/unfinished',
])('everything else stays as it is: %s', (page) => {
  expect(rewritten(page)).toBe(page);
  for (const length of [1, 3]) expect(rewritten(page, length)).toBe(page);
});

test('script links are rewritten, and HTML after a script is parsed again', () => {
  const page = '<script src="/a.js">"</a>"</script><a href="/b">';
  expect(rewritten(page)).toBe(`<script src="${prefix}/a.js">"</a>"</script><a href="${prefix}/b">`);
});
