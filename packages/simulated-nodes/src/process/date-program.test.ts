import { ManualClock } from '@coxswain/apimachinery';
import { expect, test } from 'vitest';
import { date } from './date-program.ts';
import type { SimulatedProcess } from './simulated-process.ts';

async function run(...words: string[]) {
  const said = { out: '', err: '' };
  const decoder = new TextDecoder();
  const code = await date({
    argv: ['date', ...words],
    clock: new ManualClock(Date.UTC(2026, 1, 3, 14, 5, 6, 70)),
    stdout: (bytes: Uint8Array) => void (said.out += decoder.decode(bytes)),
    stderr: (bytes: Uint8Array) => void (said.err += decoder.decode(bytes)),
  } as unknown as SimulatedProcess);
  return { code, ...said };
}

test.each([
  [[], 'Tue Feb  3 14:05:06 UTC 2026'],
  [['-u', '+%Y-%m-%dT%H:%M:%SZ'], '2026-02-03T14:05:06Z'],
  [['+%s'], '1770127506'],
  [['+%A %j %I%p 100%% %q'], 'Tuesday 034 02PM 100% %q'],
  [['-R'], 'Tue, 03 Feb 2026 14:05:06 +0000'],
  [['-Iseconds'], '2026-02-03T14:05:06+00:00'],
  [['-I'], '2026-02-03'],
  [['-d', '@0', '+%F %T'], '1970-01-01 00:00:00'],
  [['-ud', '2026-12-31 23:59', '+%c'], 'Thu Dec 31 23:59:00 2026'],
])('date %j', async (words, text) => {
  expect(await run(...words)).toEqual({ code: 0, out: `${text}\n`, err: '' });
});

test('a time that is none is refused', async () => {
  expect(await run('-d', 'soon')).toEqual({ code: 1, out: '', err: "date: invalid date 'soon'\n" });
  expect(await run('soon')).toEqual({ code: 1, out: '', err: "date: invalid date 'soon'\n" });
});
