import { expect, test } from 'vitest';
import { runCommand } from './commands.ts';

const surroundings = { env: { NAME: 'world' }, hostname: 'web-0' };

test.each([
  [['true'], 0, 0, []],
  [['/bin/false'], 1, 0, []],
  [['sleep', '5'], 0, 5_000, []],
  [['sleep', '2m'], 0, 120_000, []],
  [['echo', 'a', 'b'], 0, 0, ['a b']],
  [['hostname'], 0, 0, ['web-0']],
  [['printenv', 'NAME'], 0, 0, ['world']],
  [['sh', '-c', 'echo hi; sleep 1 && exit 3'], 3, 1_000, ['hi']],
  [['sh', '-c', 'false && echo never'], 1, 0, []],
  [['sh', '-c', 'false || echo instead'], 0, 0, ['instead']],
  [['bash', '-ec', 'echo "hello $NAME"'], 0, 0, ['hello world']],
  [['sh', '-c', "echo '$NAME'"], 0, 0, ['$NAME']],
  [['sh', '-c', 'echo x > /tmp/file'], 0, 0, ['x']],
])('%j ends with %i after %i ms and prints %j', (argv, exitCode, afterMs, output) => {
  expect(runCommand(argv, surroundings)).toEqual({ exitCode, afterMs, output });
});

test.each([
  [['nginx', '-g', 'daemon off;']],
  [['sleep', 'infinity']],
  [['sh', '-c', 'while true; do sleep 1; done']],
  [['sh']],
  [['constructor']],
  [[]],
])('of %j it is not known that it ends', (argv) => {
  expect(runCommand(argv, surroundings)).toBeUndefined();
});
