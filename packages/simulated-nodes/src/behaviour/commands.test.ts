import { expect, test } from 'vitest';
import { runCommand } from './commands.ts';

test.each([
  [['true'], 0, 0, []],
  [['/bin/false'], 1, 0, []],
  [['sleep', '5'], 0, 5_000, []],
  [['sleep', '2m'], 0, 120_000, []],
  [['echo', 'a', 'b'], 0, 0, ['a b']],
  [['sh', '-c', 'echo hi; sleep 1 && exit 3'], 3, 1_000, ['hi']],
  [['sh', '-c', 'false && echo never'], 1, 0, []],
  [['sh', '-c', 'false || echo instead'], 0, 0, ['instead']],
  [['sh', '-c', `echo 'a b' "c d"`], 0, 0, ['a b c d']],
  [['perl', '-Mbignum=bpi', '-wle', 'print bpi(30)'], 0, 0, ['3.14159265358979323846264338328']],
])('%j ends with %i after %i ms and prints %j', (argv, exitCode, afterMs, output) => {
  expect(runCommand(argv)).toEqual({ exitCode, afterMs, output });
});

test.each([
  [['nginx', '-g', 'daemon off;']],
  [['sleep', 'infinity']],
  [['sh', '-c', 'while true; do sleep 1; done']],
  [['sh']],
  [['constructor']],
  [['perl', '-e', 'print 1']],
  [[]],
])('of %j it is not known that it ends', (argv) => {
  expect(runCommand(argv)).toBeUndefined();
});

test.each([
  [['env']],
  [['printenv', 'NAME']],
  [['hostname']],
  [['echo', '$(NAME)']],
  [['echo', '-e', String.raw`a\tb`]],
  [['sh', '-c', 'echo $NAME']],
  [['sh', '-c', 'echo x > /tmp/file']],
  [['sh', '-ec', 'false; echo x']],
])('%j depends on more than its words', (argv) => {
  expect(runCommand(argv)).toBeUndefined();
});
