import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import {
  simulationAnnotations,
  simulationHelp,
  simulationLabels,
  simulationPrefix,
  simulationTable,
} from './annotation-table.ts';

/** Cells, whatever their width. */
const rowsOf = (markdown: string) =>
  markdown
    .split('\n')
    .filter((line) => line.startsWith('| `sim.'))
    .map((line) => line.split('|').map((cell) => cell.trim()));

test.each(['simulated-nodes/README.md', 'coxswain/src/testing/README.md'])('%s shows the table', (file) => {
  const readme = readFileSync(path.join(import.meta.dirname, '../../..', file), 'utf8');
  expect(rowsOf(readme)).toEqual(rowsOf(simulationTable()));
});

test('the table has every annotation that the simulation reads, and no other', () => {
  const directory = path.join(import.meta.dirname, '..');
  const files = readdirSync(directory, { recursive: true, encoding: 'utf8' });
  const sources = files
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => readFileSync(path.join(directory, file), 'utf8'));
  const read = sources.flatMap((source) =>
    [...source.matchAll(/nnotation\([^,()]*(?:\([^()]*\))?[^,()]*, ['`]([a-z-]+)/g)].map(([, name]) => name!),
  );
  const known = simulationAnnotations.map(({ name }) => name.replace(/\..*/, ''));
  expect(read.filter((name) => !known.includes(name))).toEqual([]);
  // Metrics are read elsewhere, by the prefix.
  expect(known.filter((name) => name !== 'usage' && !read.includes(name))).toEqual([]);
});

test('the help names each annotation and the label once', () => {
  for (const name of new Set([...simulationAnnotations, ...simulationLabels].map((one) => one.name))) {
    expect(simulationHelp().match(new RegExp(`^  ${name.replace(/[.|]/g, '\\$&')} `, 'gm'))).toHaveLength(1);
  }
  expect(simulationHelp()).toContain(simulationPrefix);
});
