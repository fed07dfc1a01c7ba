import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { recordingVersion, type Recording } from '@coxswain/trace/recording.ts';
import { afterAll, expect, test } from 'vitest';
import { packageNames, withSources } from './embedded-sources.ts';

const directory = mkdtempSync(path.join(os.tmpdir(), 'coxswain-sources-'));
afterAll(() => rmSync(directory, { recursive: true }));

const recordingOf = (...files: string[]): Recording => ({
  apiVersion: recordingVersion,
  startTime: '2026-01-01T00:00:00Z',
  undertakings: [
    {
      id: '1'.padStart(16, '0'),
      kind: 'command',
      component: 'kubectl',
      name: 'kubectl',
      causes: [],
      startNs: 0,
      steps: files.map((file) => ({ name: 'step', file, line: 1, function: 'f', startNs: 0, steps: [] })),
    },
  ],
});

test('a checkout has the sources that steps name, and no other files', () => {
  const { sources } = withSources(
    recordingOf('packages/trace/src/recording.ts', 'packages/trace/src/../package.ts', '/etc/hostname'),
  );
  expect(Object.keys(sources!)).toEqual(['packages/trace/src/recording.ts']);
});

test('the package has them in a file of its own', () => {
  const file = path.join(directory, 'sources.json.br');
  writeFileSync(file, brotliCompressSync(JSON.stringify({ 'packages/a/src/a.ts': 'text' })));
  const { sources } = withSources(recordingOf('packages/a/src/a.ts', 'packages/a/src/b.ts'), file);
  expect(sources).toEqual({ 'packages/a/src/a.ts': 'text' });
  expect(packageNames(file)).toEqual(['a']);
});
