import { expect, test } from 'vitest';
import { yamlSpans } from './yaml-spans.ts';

const roles = (text: string) =>
  yamlSpans(text).map((spans) =>
    spans.flatMap(({ role, text }) => (role === undefined ? [] : [`${role} ${text}`])),
  );

test('keys, quoted strings and literals are highlighted, lines of a multi-line text are not', () => {
  const text = [
    'replicas: 3',
    'paused: false',
    'labels: {}',
    'args:',
    '- "--port=80"',
    '- plain',
    '- name: web',
    'script: |',
    '  key: 1',
    'image: nginx:1.29',
  ].join('\n');
  expect(roles(text)).toEqual([
    ['key replicas', 'literal 3'],
    ['key paused', 'literal false'],
    ['key labels', 'literal {}'],
    ['key args'],
    ['string "--port=80"'],
    [],
    ['key name'],
    ['key script'],
    [],
    ['key image'],
  ]);
});

test('nothing of the text is lost', () => {
  const text = 'a:  "x"  # y\n\n  - - b: 1\n\t\nc';
  const lines = yamlSpans(text).map((spans) => spans.map((span) => span.text).join(''));
  expect(lines.join('\n')).toBe(text);
});
