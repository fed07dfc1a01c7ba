import { expect, test } from 'vitest';
import type { LogOptions } from '../connection.ts';
import { LineSelection } from './line-selection.ts';

const [early, late] = ['2026-01-01T00:00:00.000000001Z', '2026-01-01T00:00:09.000000002Z'] as const;
const log = Buffer.concat([
  Buffer.from(`${early} stdout F first\n`),
  Buffer.from(`${early} stderr F second\n`),
  Buffer.from(`${late} stdout P a long `),
  Buffer.from([0xff, 0x00, 0xfe]),
  Buffer.from(`\n${late} stdout F line\n`),
  Buffer.from(`not a line\n${late} nowhere F either\n`),
  Buffer.from(`${late} stdout F \n${late} stdout F\n`),
  Buffer.from(`${late} stdout F unfinished`),
]);

/** @param chunkBytes how much arrives at once */
function selected(bytes: Buffer, options: LogOptions, chunkBytes = bytes.length): string {
  const selection = new LineSelection(options);
  const shown: Uint8Array[] = [];
  for (let at = 0; at < bytes.length && !selection.isFull; at += chunkBytes)
    shown.push(Buffer.from(selection.take(bytes.subarray(at, at + chunkBytes))));
  return Buffer.concat(shown).toString('latin1');
}

const long = 'a long \xff\x00\xfeline\n';

test.each<[string, LogOptions, string]>([
  ['all lines', {}, `first\nsecond\n${long}\n\nunfinished`],
  ['those of one stream', { stream: 'Stderr' }, 'second\n'],
  ['those since a time', { sinceMs: Date.parse(late) }, `${long}\n\nunfinished`],
  ['the first bytes', { limitBytes: 8 }, 'first\nse'],
  [
    'times, one for each line of the container',
    { timestamps: true, stream: 'Stdout' },
    `${early} first\n${late} ${long}${late} \n${late} \n${late} unfinished`,
  ],
])('%s are shown, in whatever pieces the log arrives', (_, options, shown) => {
  for (const chunkBytes of [1, 2, 3, 7, 64, log.length])
    expect(selected(log, options, chunkBytes), `${chunkBytes}`).toBe(shown);
});

test('a line of any length passes without being gathered', () => {
  const selection = new LineSelection({});
  selection.take(Buffer.from(`${early} stdout F `));
  const piece = Buffer.alloc(64 * 1024, 'x');
  for (let count = 0; count < 100; count++) expect(selection.take(piece)).toHaveLength(piece.length);
});
