import { messageOf } from '@coxswain/apimachinery/message-of.ts';
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

const configMap = { data: { b: 'hi' }, metadata: { name: 'web' } };

/** What the original prints. */
test.each([
  ['{{printf "%05d|%-4s|%q" 7 "a" "b"}}', '00007|a   |"b"'],
  ['{{printf "%d" "x"}}', '%!d(string=x)'],
  ['{{printf "%s" 3}}', '%!s(int=3)'],
  ['{{printf "%[2]s %[1]s" "a" "b"}}', 'b a'],
  ['{{printf "%v %v" 1}}', '1 %!v(MISSING)'],
  ['{{printf "a" 1 "b"}}', 'a%!(EXTRA int=1, string=b)'],
  ['{{printf "%x %X" "hi" 255}}', '6869 FF'],
  ['{{printf "%.2f" 1.5}}', '1.50'],
  ['{{printf "%T %T" 1 .data}}', 'int map[string]interface {}'],
  ['{{printf "%#v" .data}}', 'map[string]interface {}{"b":"hi"}'],
  ['{{index .data "b"}}', 'hi'],
  ['{{slice "abcd" 1 3}}', 'bc'],
  ['{{.data.b | printf "%s-%s" "x"}}', 'x-hi'],
  ['{{define "t"}}[{{.}}]{{end}}{{template "t" .metadata.name}}', '[web]'],
  ['{{print nil}}', '<nil>'],
  ['{{html "<a>"}} {{urlquery "a b"}} {{js "it\'s"}}', "&lt;a&gt; a+b it\\'s"],
  ['{{not 0}} {{and 1 0}} {{or 0 "x"}}', 'true 0 x'],
])('the original prints the same for %s', (source, expected) => {
  expect(run(source, configMap).text).toBe(expected);
});

test.each([
  ['{{len 3}}', 'output:1:2: executing "output" at <len 3>: error calling len: len of type int'],
  [
    '{{index .data 1}}',
    'output:1:2: executing "output" at <index .data 1>: error calling index: value has type int; should be string',
  ],
  [
    '{{lt 1 "a"}}',
    'output:1:2: executing "output" at <lt 1 "a">: error calling lt: incompatible types for comparison: int and string',
  ],
  [
    '{{eq .data .data}}',
    'output:1:2: executing "output" at <eq .data .data>: error calling eq: non-comparable type map[b:hi]: map[string]interface {}',
  ],
  [
    '{{range $a, $b := 3}}x{{end}}',
    'output:1:18: executing "output" at <3>: can\'t use 3 to iterate over more than one variable',
  ],
  ["{{'ab'}}", "output:1: malformed character constant: 'ab'"],
  ['{{1.e}}', 'output:1: illegal number syntax: "1.e"'],
  ['{{99999999999999999999}}', 'output:1: integer overflow: "99999999999999999999"'],
  ['{{template "x"}}', 'output:1:11: executing "output" at <{{template "x"}}>: template "x" not defined'],
  ['{{"a".b}}', 'output:1: unexpected . after term "\\"a\\""'],
  ['{{/* open', 'output:1: unclosed comment'],
  ['{{printf 1}}', 'output:1:9: executing "output" at <1>: expected string; found 1'],
])('the original refuses %s with the same words', (source, message) => {
  const failure = (): unknown => run(source, configMap).failure;
  expect(attempted(failure)).toBe(`template: ${message}`);
});

function attempted(failureOf: () => unknown): string {
  try {
    return messageOf(failureOf());
  } catch (error) {
    return messageOf(error);
  }
}
