import { describe, expect, test } from 'vitest';
import { StatusError } from '@coxswain/apimachinery';
import type { Table } from '../printers/table.ts';
import { runKubectl } from '../run.ts';
import { FakeServer } from '../testing/fake-server.ts';
import { recordedIo } from '../testing/recorded-io.ts';
import { paintedDiff } from './diff-colors.ts';
import { hintFor } from './hints.ts';
import { liveTable } from './live-table.ts';
import { richnessOf } from './richness.ts';
import { stateColor, tablePainter } from './state-colors.ts';
import { progressText, statusLine } from './status-line.ts';

/** Renders the screen after these bytes: a minimal terminal emulation for kubectl's output. */
function screenOf(bytes: string): string[] {
  const lines = [''];
  let row = 0;
  let column = 0;
  // eslint-disable-next-line no-control-regex
  for (const [token] of bytes.matchAll(/\u001B\[([\d;]*)([A-Za-z])|[\s\S]/gu)) {
    // eslint-disable-next-line no-control-regex
    const [, count = '', command] = /^\u001B\[([\d;]*)([A-Za-z])$/.exec(token) ?? [];
    if (command === 'F') {
      row = Math.max(0, row - Number(count || 1));
      column = 0;
    } else if (command === 'J') {
      lines.length = row + 1;
      lines[row] = (lines[row] ?? '').slice(0, column);
    } else if (command === 'K') lines[row] = (lines[row] ?? '').slice(0, column);
    else if (command !== undefined) continue;
    else if (token === '\n') {
      row++;
      column = 0;
      lines[row] ??= '';
    } else if (token === '\r') column = 0;
    else {
      const line = (lines[row] ?? '').padEnd(column);
      lines[row] = line.slice(0, column) + token + line.slice(column + 1);
      column++;
    }
  }
  return lines;
}

const terminal = { columns: 80, errColumns: 80, rows: 24 };

describe('what people at a terminal asked for', () => {
  test('is nothing when they did not ask', () => {
    const none = { color: false, live: false, progress: false, hints: false };
    expect(richnessOf({ env: {}, ...terminal })).toEqual(none);
  });

  test('is not given to pipes, nor to a terminal that can do nothing', () => {
    const none = { color: false, live: false, progress: false, hints: false };
    expect(richnessOf({ env: { KUBECTL_RICH: 'on' } })).toEqual(none);
    expect(richnessOf({ env: { KUBECTL_RICH: 'on', TERM: 'dumb' }, ...terminal })).toEqual(none);
  });

  test('is set by the environment, feature by feature, and the option takes precedence', () => {
    const env = { KUBECTL_RICH: 'hints,live' };
    expect(richnessOf({ env, ...terminal })).toEqual({
      color: false,
      live: true,
      progress: false,
      hints: true,
    });
    expect(richnessOf({ env, ...terminal }, 'off').hints).toBe(false);
    expect(richnessOf({ env: { KUBECTL_RICH: 'on', NO_COLOR: '1' }, ...terminal }).color).toBe(false);
  });
});

test.each([
  ['STATUS', 'Running', 'green'],
  ['STATUS', 'CrashLoopBackOff', 'red'],
  ['STATUS', 'Ready,SchedulingDisabled', 'yellow'],
  ['STATUS', 'NotReady', 'red'],
  ['READY', '1/2', 'yellow'],
  ['READY', '2/2', 'green'],
  ['RESTARTS', '0', undefined],
  ['RESTARTS', '4 (2m ago)', 'yellow'],
  ['STATUS', 'nothing that is known', undefined],
])('%s %s is %s', (column, text, color) => {
  expect(stateColor(column, text)).toBe(color);
});

test('a painted table reads as before, and later lines keep the columns of its heading', () => {
  const paint = tablePainter();
  const first = 'NAME   READY   STATUS             AGE\nweb    0/1     CrashLoopBackOff   1d\n';
  const bytes = paint(first);
  expect(screenOf(bytes).join('\n')).toBe(first);
  expect(bytes).toContain('\u001B[31mCrashLoopBackOff\u001B[0m   1d');
  expect(paint('db     1/1     Running            1d\n')).toContain('\u001B[32mRunning\u001B[0m');
});

test('a diff shows the words that differ, and loses no byte', () => {
  const text =
    ' spec:\n-  image: web:1 # old\n+  image: web:2 # old\n+  tty: true\n replicas: 1\n-  a: one two\n+  a: one three\n';
  const bytes = paintedDiff(text);
  expect(screenOf(bytes).join('\n')).toBe(text);
  expect(bytes).toContain('\u001B[31;7mtwo\u001B[0m');
  expect(bytes).toContain('\u001B[32;7mthree\u001B[0m');
});

test('a status line is cut to the terminal and leaves nothing behind', () => {
  let bytes = '';
  const line = statusLine((text) => void (bytes += text), 20);
  line.show(progressText(1, 4, 'applied: a name that is far too long'));
  expect(screenOf(bytes)).toEqual(['[#####-------------']);
  line.clear();
  expect(screenOf(bytes)).toEqual(['']);
});

const row = (name: string, status: string) => ({
  cells: [name, status],
  object: { metadata: { name, uid: name } },
});
const tableOf = (...rows: ReturnType<typeof row>[]): Table =>
  ({ apiVersion: 'meta.k8s.io/v1', kind: 'Table', columnDefinitions: [{ name: 'Name' }], rows }) as Table;

test('a live table shows every object once, as it is now, and no more lines than the screen has', () => {
  const lines = (table: Table) => (table.rows ?? []).map(({ cells }) => `${cells.join(' ')}\n`).join('');
  const next = liveTable({ lines, rows: () => 4 });
  let bytes = next(tableOf(row('a', 'Pending'), row('b', 'Running')), 'ADDED');
  bytes += next(tableOf(row('a', 'Running')), 'MODIFIED');
  expect(screenOf(bytes)).toEqual(['a Running', 'b Running', '']);
  bytes += next(tableOf(row('b', 'Running')), 'DELETED');
  expect(screenOf(bytes)).toEqual(['a Running', '']);
  bytes += next(tableOf(row('c', '1'), row('d', '2'), row('e', '3')), 'ADDED');
  expect(screenOf(bytes)).toEqual(['a Running', 'c 1', '… 2 more', '']);
});

test('a hint names the next command', () => {
  const failure = (reason: 'NotFound' | 'Forbidden', kind: string) =>
    StatusError.from({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      reason,
      message: 'x',
      code: 404,
      details: { kind, name: 'web' },
    });
  expect(hintFor(failure('NotFound', 'pods'))).toBe('"kubectl get pods -A" lists those of all namespaces');
  expect(hintFor(failure('Forbidden', 'pods'))).toContain('kubectl auth can-i --list');
  expect(hintFor(new Error('something else'))).toBeUndefined();
});

describe('kubectl at a terminal', () => {
  const run = async (line: string, over: Parameters<typeof recordedIo>[0]) => {
    const io = recordedIo({ transport: new FakeServer(), ...over });
    await runKubectl(line.split(' '), io);
    return io.text;
  };

  test('adds a hint to a failure when asked to, and says the same without', async () => {
    const plain = await run('get configmap web', terminal);
    const rich = await run('get configmap web', { ...terminal, env: { KUBECTL_RICH: 'hints' } });
    expect(plain.err).toBe('Error from server (NotFound): configmaps "web" not found\n');
    expect(rich.err).toBe(`${plain.err}hint: "kubectl get configmaps -A" lists those of all namespaces\n`);
    expect(await run('get configmap web --rich=hints', terminal)).toEqual(rich);
  });

  test('writes the same bytes into pipes, whatever is asked for', async () => {
    const rich = await run('get configmap web', { env: { KUBECTL_RICH: 'on' } });
    expect(rich).toEqual(await run('get configmap web', {}));
  });
});
