import { expect, test } from 'vitest';
import type { PodMetrics } from './metrics-api.ts';
import { amountsOf, podAmounts, shareCells, sorted, tableText, usageText } from './usage-table.ts';

const pod = (name: string, ...usages: readonly (readonly [cpu: string, memory: string])[]): PodMetrics => ({
  metadata: { name },
  containers: usages.map(([cpu, memory], index) => ({ name: `c${index}`, usage: { cpu, memory } })),
});
const resources = ['cpu', 'memory'] as const;
const nameOf = ({ metadata }: PodMetrics) => metadata.name ?? '';

test('usage is summed exactly, and rounded only when it is shown', () => {
  const amounts = podAmounts(resources, pod('p', ['1500u', '999999'], ['7n', '1Mi']));
  expect(usageText('cpu', amounts.cpu)).toBe('2m');
  expect(usageText('memory', amounts.memory)).toBe('1Mi');
});

test('percentages refer to the available resources, and are unknown if a node does not report them', () => {
  const usage = amountsOf(resources, [{ cpu: '250m', memory: '1Gi' }]);
  const available = amountsOf(resources, [{ cpu: '1', memory: '3Gi' }]);
  expect(shareCells(resources, usage, available, new Set())).toEqual(['250m', '25%', '1024Mi', '33%']);
  expect(shareCells(['cpu', 'swap'], usage, undefined, new Set(['swap']))).toEqual([
    '250m',
    '<unknown>',
    '<unknown>',
  ]);
});

test('the largest comes first, or they come by name', () => {
  const pods = [pod('b', ['1m', '2Mi']), pod('a', ['2m', '1Mi'])];
  const amounts = (each: PodMetrics) => podAmounts(resources, each);
  expect(sorted(pods, '', amounts, nameOf).map(nameOf)).toEqual(['a', 'b']);
  expect(sorted(pods, 'memory', amounts, nameOf).map(nameOf)).toEqual(['b', 'a']);
});

test('lines end with blanks, and columns never get narrower', () => {
  expect(tableText([['NAME', 'MEMORY(bytes)'], ['a'], ['b', '1Mi']])).toBe(
    'NAME   MEMORY(bytes)   \na      \nb      1Mi             \n',
  );
});
