import { ManualClock } from '@coxswain/apimachinery';
import { expect, test } from 'vitest';
import { jsonLines } from './json-lines.ts';
import { klogText } from './klog-text.ts';
import { Logger } from './logger.ts';
import type { LogFormat } from './log-entry.ts';

function logger(format: LogFormat, level = 0) {
  let text = '';
  const clock = new ManualClock(Date.UTC(2026, 10, 21, 0, 24, 0, 724));
  const made = new Logger({ clock, format, verbosity: { level }, write: (more) => void (text += more) });
  return { logger: made, written: () => text };
}

test('a request is a line as klog writes it', () => {
  const { logger: log, written } = logger(klogText(8159));
  log.requests.write('HTTP', { verb: 'GET', URI: '/api', resp: 200 });
  expect(written()).toBe('I1121 00:24:00.724000    8159 httplog] "HTTP" verb="GET" URI="/api" resp=200\n');
});

test('a request is an object as JSON', () => {
  const { logger: log, written } = logger(jsonLines);
  log.requests.write('HTTP', { verb: 'GET', resp: 200 });
  expect(JSON.parse(written())).toEqual({
    ts: Date.UTC(2026, 10, 21, 0, 24, 0, 724),
    caller: 'httplog',
    msg: 'HTTP',
    v: 0,
    verb: 'GET',
    resp: 200,
  });
});

test('client input can neither start a line nor control a terminal', () => {
  const { logger: log, written } = logger(klogText(1));
  log.line('no such user: eve\nI1121 00:00:00.000000 1 server] all is well\u001b[2J');
  log.requests.write('HTTP', { userAgent: 'a\nb\u001b' });
  const [first, second, third] = written().split('\n');
  expect(first).toMatch(/eve$/);
  expect(second).toBe('\tI1121 00:00:00.000000 1 server] all is well\\x1b[2J');
  expect(third).toContain('userAgent="a\\nb\\x1b"');
});

test('requests are logged from verbosity 3 on, which may change', () => {
  const { logger: log } = logger(klogText(1), 2);
  expect(log.requests.isEveryReported()).toBe(false);
  log.verbosity.level = 3;
  expect(log.requests.isEveryReported()).toBe(true);
});
