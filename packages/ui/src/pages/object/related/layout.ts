/** Lays out the nodes of a graph from left to right, and routes its edges. */

import { Graph, layout } from '@dagrejs/dagre';
import type { RelatedEdge, RelatedGraph, RelatedNode } from './related-graph.ts';

export const nodePx = { width: 176, height: 46 } as const;

/** The gap between columns. */
const gapPx = 44;

export interface PlacedNode extends RelatedNode {
  readonly leftPx: number;
  readonly topPx: number;
}

export interface PlacedEdge extends RelatedEdge {
  /** An SVG path. */
  readonly path: string;
}

export interface PlacedGraph {
  readonly nodes: readonly PlacedNode[];
  readonly edges: readonly PlacedEdge[];
  readonly widthPx: number;
  readonly heightPx: number;
}

export function placed({ nodes, edges }: RelatedGraph): PlacedGraph {
  const graph = new Graph();
  graph.setGraph({ rankdir: 'LR', nodesep: 14, ranksep: gapPx, marginx: 4, marginy: 4 });
  for (const { id } of nodes) graph.setNode(id, { ...nodePx });
  for (const { from, to } of edges) graph.setEdge(from, to, {});
  layout(graph);
  const { width = 0, height = 0 } = graph.graph() as { readonly width?: number; readonly height?: number };
  const at = (id: string): Point => graph.node(id) as Point;
  return {
    widthPx: Math.ceil(width),
    heightPx: Math.ceil(height),
    nodes: nodes.map((node) => {
      const { x, y } = at(node.id);
      return { ...node, leftPx: Math.round(x - nodePx.width / 2), topPx: Math.round(y - nodePx.height / 2) };
    }),
    edges: edges.map((edge) => {
      const { points } = graph.edge(edge.from, edge.to) as { readonly points: readonly Point[] };
      const begin = { x: at(edge.from).x + nodePx.width / 2, y: at(edge.from).y };
      const end = { x: at(edge.to).x - nodePx.width / 2, y: at(edge.to).y };
      return {
        ...edge,
        path: smooth([begin, ...points.filter(({ x }) => x > begin.x + gapPx && x < end.x - gapPx), end]),
      };
    }),
  };
}

interface Point {
  readonly x: number;
  readonly y: number;
}

/** A curve through all points, horizontal at each of them. */
function smooth([first, ...rest]: readonly Point[]): string {
  let from = first!;
  const curves = rest.map((to) => {
    const middle = (from.x + to.x) / 2;
    const curve = `C${middle} ${from.y} ${middle} ${to.y} ${to.x} ${to.y}`;
    from = to;
    return curve;
  });
  return `M${first!.x} ${first!.y}${curves.join('')}`;
}
