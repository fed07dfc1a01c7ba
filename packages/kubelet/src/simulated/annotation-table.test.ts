import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import {
  simulationAnnotations,
  simulationHelp,
  simulationPrefix,
  simulationTable,
} from './annotation-table.ts';

/** Cells, whatever their width. */
const rowsOf = (markdown: string) =>
  markdown
    .split('\n')
    .filter((line) => line.startsWith('| `sim.'))
    .map((line) => line.split('|').map((cell) => cell.trim()));

test('the README shows the table of annotations', () => {
  const readme = readFileSync(path.join(import.meta.dirname, '../../README.md'), 'utf8');
  expect(rowsOf(readme)).toEqual(rowsOf(simulationTable()));
});

test('every annotation that the simulation reads is in the table', () => {
  const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' });
  const sources = files
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => readFileSync(path.join(import.meta.dirname, file), 'utf8'));
  const read = sources.flatMap((source) =>
    [...source.matchAll(/nnotation\([^,()]*(?:\([^()]*\))?[^,()]*, ['`]([a-z-]+)/g)].map(([, name]) => name!),
  );
  const known = simulationAnnotations.map(({ name }) => name.replace(/\..*/, ''));
  expect(read.length).toBeGreaterThan(5);
  expect(read.filter((name) => !known.includes(name))).toEqual([]);
});

test('the help names each annotation once', () => {
  for (const name of new Set(simulationAnnotations.map(({ name }) => name))) {
    expect(simulationHelp().match(new RegExp(`^  ${name.replace(/[.|]/g, '\\$&')} `, 'gm'))).toHaveLength(1);
  }
  expect(simulationHelp()).toContain(simulationPrefix);
});
