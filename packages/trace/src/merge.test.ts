import { expect, test } from 'vitest';
import { followed, merged } from './merge.ts';
import { ms, sample, step } from './recording.fixture.ts';

const [command, request, reconcile] = sample.undertakings;

test('recordings of two processes merge, relative to the earlier one', () => {
  const client = { ...sample, undertakings: [command!] };
  const server = {
    ...sample,
    startTime: '2026-11-28T06:45:01.123Z',
    undertakings: [request!],
    droppedSteps: 2,
  };
  const both = merged(server, client);

  expect(both.startTime).toBe(sample.startTime);
  expect(both.undertakings.map(({ startNs }) => startNs / ms)).toEqual([0, 1003]);
  expect(both.undertakings[1]?.steps[0]?.startNs).toBe(1003 * ms);
  expect(both.droppedSteps).toBe(2);
});

test('what follows from a command is kept, the rest is not', () => {
  const other = { ...request!, id: 'ffff000000000001', causes: [] };
  const kept = followed({ ...sample, undertakings: [command!, other, request!, reconcile!] }, command!.id);
  expect(kept.undertakings).toEqual([command, request, reconcile]);
});

test('requests of its user that do not name their sender are attributed to the command', () => {
  const sent = (id: string, user: string, startNs: number) => ({
    ...request!,
    id,
    startNs,
    causes: [],
    links: [],
    steps: [step('authenticate', 3, 1, { values: { user } })],
  });
  const requests = [sent('01', 'jane', 4 * ms), sent('02', 'joe', 5 * ms), sent('03', 'jane', 99 * ms)];
  const kept = followed({ ...sample, undertakings: [command!, ...requests] }, command!.id, 'jane');
  expect(kept.undertakings).toMatchObject([
    { id: command!.id },
    { id: '01', causes: [command!.id], links: [{ by: 'call' }] },
  ]);
});
