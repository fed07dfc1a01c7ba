import { expect, test } from 'vitest';
import { compileTemplate } from './execute.ts';

const run = (source: string, data: unknown, allowMissingKeys = true) =>
  compileTemplate('output', source, { allowMissingKeys }).execute(data);

const data = {
  items: [
    { name: 'a', n: 1 },
    { name: 'b', n: 2 },
  ],
  labels: { y: '2', x: '1' },
  on: true,
};

test.each([
  ['{{.on}}', 'true'],
  ['{{range .items}}{{.name}} {{end}}', 'a b '],
  ['{{range $i, $e := .items}}{{$i}}:{{$e.n}};{{end}}', '0:1;1:2;'],
  ['{{range $k, $v := .labels}}{{$k}}={{$v}} {{end}}', 'x=1 y=2 '],
  ['{{if eq (len .items) 2}}two{{else}}other{{end}}', 'two'],
  ['{{with .missing}}there{{else}}none{{end}}', 'none'],
  ['{{- " trimmed " -}}  ', ' trimmed '],
  ['{{printf "%s-%d" (index .items 0).name 7}}', 'a-7'],
  ['{{define "one"}}<{{.}}>{{end}}{{template "one" .on}}', '<true>'],
])('%s', (source, expected) => {
  expect(run(source, data).text).toBe(expected);
});

test('output before a failure is kept', () => {
  const { text, failure } = run('start {{index .items 9}}', data);
  expect(text).toBe('start ');
  expect(failure).toBeInstanceOf(Error);
});

test.each([
  ['{{len.items}}', 'output:1:2: executing "output" at <len>: wrong number of args for len: want 1 got 0'],
  [
    '{{index}}',
    'output:1:2: executing "output" at <index>: wrong number of args for index: want at least 1 got 0',
  ],
])('%s is a function without its arguments', (source, message) => {
  expect((run(source, data).failure as Error).message).toBe(`template: ${message}`);
});

test.each([
  ['{{.a.b.c}}', '1:4', '.a.b.c'],
  ['{{$x := .}}{{$x.a.b}}', '1:15', '$x.a.b'],
  ['{{.a}}', '1:2', '.a'],
])('%s fails at its second part', (source, at, text) => {
  expect((run(source, {}, false).failure as Error).message).toBe(
    `template: output:${at}: executing "output" at <${text}>: map has no entry for key "a"`,
  );
});
