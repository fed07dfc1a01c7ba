import { expect, test } from 'vitest';
import type { NodeExplanation } from '@coxswain/kube-scheduler/explain-placement.ts';
import { obstaclesOf, refusingPlugins } from './obstacles.ts';

const cpu = { plugin: 'NodeResourcesFit', reasons: ['Insufficient cpu'] };
const both = { plugin: 'NodeResourcesFit', reasons: ['Insufficient cpu', 'Insufficient memory'] };
const taint = { plugin: 'TaintToleration', reasons: ['node(s) had untolerated taint {a: b}'] };
const node = (name: string, ...refusals: readonly (typeof cpu)[]) => ({
  node: name,
  refusals,
  scores: {},
  total: 0,
});

test('the fewest obstacles come first, then those that free the most nodes', () => {
  const nodes = [
    node('a', cpu, taint),
    node('b', taint),
    node('c', cpu),
    node('d', cpu),
    node('e', both, taint),
    node('fits'),
  ];
  expect(obstaclesOf(nodes)).toEqual([
    { refusals: [cpu], nodes: ['c', 'd'] },
    { refusals: [taint], nodes: ['b'] },
    { refusals: [cpu, taint], nodes: ['a'] },
    { refusals: [both, taint], nodes: ['e'] },
  ]);
});

test('the facts that hold for all nodes of a group are kept', () => {
  const shortage = (free: string) => ({
    kind: 'shortage' as const,
    resource: 'cpu',
    requested: '4',
    free,
    allocatable: '4',
  });
  const labels = { kind: 'labels' as const, required: 'gpu=yes' };
  const refused = (name: string, free: string): NodeExplanation => ({
    node: name,
    refusals: [{ ...cpu, facts: [labels, shortage(free)] }],
    scores: {},
    total: 0,
  });
  expect(obstaclesOf([refused('a', '1'), refused('b', '2')])).toEqual([
    { refusals: [{ ...cpu, facts: [labels] }], nodes: ['a', 'b'] },
  ]);
});

test('plugins that refuse nodes are sorted by how many they refuse', () => {
  expect(refusingPlugins([node('a', taint), node('b', cpu, taint), node('c')])).toEqual([
    'TaintToleration',
    'NodeResourcesFit',
  ]);
});
