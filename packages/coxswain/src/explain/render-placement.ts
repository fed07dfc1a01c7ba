/** Renders a pod's placement as text: what blocks it, then for each node why it doesn't fit, or its score. */
import type { NodeExplanation, PlacementExplanation, Refusal, RefusalFact } from '@coxswain/kube-scheduler';
import { tableText } from '../program/table-text.ts';

export function renderPlacement(explained: PlacementExplanation): string {
  const { pod, nodeName, heldBack, nodes } = explained;
  const fitting = nodes.filter(({ refusals }) => refusals.length === 0);
  const lines = [
    nodeName === '' ? `${pod} has no node` : `${pod} is on ${nodeName}`,
    ...heldBack.map((refusal) => `held back by ${refusalText(refusal)}`),
  ];
  if (heldBack.length === 0) {
    lines.push(`fits ${fitting.length} of ${nodes.length} ${nodes.length === 1 ? 'node' : 'nodes'}`);
  }
  return `${lines.join('\n')}\n${fitting.length === 0 ? '' : `\n${scoreTable(fitting)}`}${refusalLines(nodes)}`;
}

const refusalText = ({ plugin, reasons, facts = [] }: Refusal): string =>
  `${plugin}: ${reasons.join(', ')}${facts.length === 0 ? '' : ` (${facts.map(factText).join('; ')})`}`;

function factText(fact: RefusalFact): string {
  switch (fact.kind) {
    case 'shortage':
      return `${fact.resource}: ${fact.requested} requested, ${fact.free} of ${fact.allocatable} free`;
    case 'labels':
      return `the pod requires ${fact.required}`;
    case 'taint':
      return `taint ${fact.taint}`;
  }
}

/** One row per node, one column per scoring plugin. */
function scoreTable(nodes: readonly NodeExplanation[]): string {
  const plugins = [...new Set(nodes.flatMap(({ scores }) => Object.keys(scores)))];
  const rows = [
    ['NODE', 'TOTAL', ...plugins],
    ...nodes.map(({ node, total, scores }) => [
      node,
      String(total),
      ...plugins.map((plugin) => String(scores[plugin] ?? 0)),
    ]),
  ];
  return tableText(rows, '  ');
}

function refusalLines(nodes: readonly NodeExplanation[]): string {
  const lines = nodes.flatMap(({ node, refusals }) =>
    refusals.map((refusal) => `${node}: ${refusalText(refusal)}\n`),
  );
  return lines.length === 0 ? '' : `\n${lines.join('')}`;
}
