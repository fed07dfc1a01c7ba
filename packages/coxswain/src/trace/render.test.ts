import { ManualClock, runStep, scopeOf } from '@coxswain/apimachinery';
import { expect, test } from 'vitest';
import { recorder } from './recorder.ts';
import { renderTrace } from './render.ts';

test('steps nest as they were called, with duration, details and source', async () => {
  const clock = new ManualClock();
  const recording = recorder(clock);
  await clock.advance(100);
  const request = scopeOf(recording.observer, 'request', { what: 'GET /api' });

  await runStep(request, 'create', async () => {
    await clock.advance(2);
    runStep(request, 'decode', () => undefined, { bytes: 3 });
    runStep(request, 'encode', () => undefined);
  });

  expect(
    renderTrace(recording.scopes, { sources: { decode: { file: 'decode.ts', line: 7 } }, columns: 80 }),
  ).toBe(
    [
      '+0.0 ms  request GET /api',
      '     2.0 ms  create',
      `       0 µs    decode bytes=3${' '.repeat(40)}decode.ts:7`,
      '       0 µs    encode',
      '',
    ].join('\n'),
  );
});

test('a chain of filters reads as a list, each with its own time', async () => {
  const clock = new ManualClock();
  const recording = recorder(clock);
  const request = scopeOf(recording.observer, 'request');

  await runStep(request, 'authenticate', async () => {
    await clock.advance(1);
    await runStep(request, 'authorize', () => clock.advance(2));
  });

  expect(renderTrace(recording.scopes, { sources: {}, columns: 80 })).toBe(
    ['+0.0 ms  request', '     1.0 ms  authenticate', '     2.0 ms  authorize', ''].join('\n'),
  );
});

test('two undertakings at the same time do not mix', async () => {
  const clock = new ManualClock();
  const recording = recorder(clock);
  const [first, second] = ['first', 'second'].map((name) => scopeOf(recording.observer, name));

  const slow = runStep(first, 'slow', () => clock.sleep(5));
  runStep(second, 'quick', () => undefined);
  await clock.advance(5);
  await slow;

  expect(recording.scopes.map(({ step, steps }) => [step, steps.map((child) => child.step)])).toEqual([
    ['first', ['slow']],
    ['second', ['quick']],
  ]);
});

test('a step that throws tells why, and is over', () => {
  const recording = recorder(new ManualClock());
  const scope = scopeOf(recording.observer, 'request');

  expect(() =>
    runStep(scope, 'decode', () => {
      throw new Error('invalid character');
    }),
  ).toThrow('invalid character');

  expect(recording.scopes[0]?.steps).toMatchObject([
    { step: 'decode', failure: 'invalid character', durationMs: 0 },
  ]);
});

test('without an observer a step is a plain call', () => {
  expect(runStep(undefined, 'anything', () => 42)).toBe(42);
  expect(scopeOf(undefined, 'request')).toBeUndefined();
});
