/**
 * The layout of bars: a band for each component and its watches, lanes within it for undertakings that overlap, rows within lanes for
 * steps.
 */

import { bandOf, type Model, type Node } from './model.ts';

export interface Band {
  readonly name: string;
  readonly lanes: readonly Lane[];
  readonly top: number;
  readonly height: number;
}

interface Lane {
  readonly top: number;
  /** The first row holds undertakings. The nodes of a row do not overlap and are sorted by time. */
  readonly rows: readonly (readonly Node[])[];
}

export interface Bar {
  readonly node: Node;
  readonly top: number;
  readonly height: number;
}

export const undertakingHeight = 20;
export const stepHeight = 16;
const laneGap = 4;
const bandGap = 12;

/** The depth to which steps are drawn by default, if there is room. */
const depthMax = 3;

/**
 * Chooses the greatest depth at which all components fit the height. Components whose depth the user has chosen keep
 * it.
 */
export function fittingBands(
  model: Model,
  depths: ReadonlyMap<string, number>,
  height: number,
): readonly Band[] {
  for (let depth = depthMax; depth > 0; depth--) {
    const bands = bandsOf(model, depths, depth);
    const last = bands.at(-1);
    if (last === undefined || last.top + last.height + bandGap <= height) return bands;
  }
  return bandsOf(model, depths, 0);
}

function bandsOf(model: Model, depths: ReadonlyMap<string, number>, depth: number): readonly Band[] {
  let top = bandGap / 2;
  const own = Map.groupBy(model.undertakings, ({ undertaking }) => bandOf(undertaking));
  return model.bands.map((name) => {
    const band = layOut(name, own.get(name) ?? [], top, depths.get(name) ?? depth);
    top += band.height + bandGap;
    return band;
  });
}

function layOut(name: string, own: readonly Node[], top: number, depth: number): Band {
  const busyUntil: number[] = [];
  const lanes: Node[][][] = [];
  for (const node of own) {
    const free = busyUntil.findIndex((busy) => busy <= node.span.startNs);
    const lane = free < 0 ? busyUntil.length : free;
    busyUntil[lane] = node.endNs;
    addRows((lanes[lane] ??= []), node, depth);
  }
  let laneTop = top;
  const placed = lanes.map((rows) => {
    const lane: Lane = { top: laneTop, rows };
    laneTop += undertakingHeight + (rows.length - 1) * stepHeight + laneGap;
    return lane;
  });
  return { name, lanes: placed, top, height: laneTop - top - laneGap };
}

/**
 * Places steps below the node that contains them, in the first row that is free at the time, so that overlapping steps
 * are drawn apart.
 */
function addRows(rows: Node[][], node: Node, depth: number, below = 0): void {
  let row = below;
  while (row > 0 && row < rowsMax && (rows[row]?.at(-1)?.endNs ?? 0) > node.span.startNs) row++;
  (rows[row] ??= []).push(node);
  if (node.depth >= depth) return;
  for (const step of node.steps) addRows(rows, step, depth, row + 1);
}

/** The maximum number of rows of a lane. Bars that overlap beyond it are drawn over one another. */
const rowsMax = 12;

export function barAt(bands: readonly Band[], y: number, moment: number, slackNs: number): Bar | undefined {
  const band = bands.find(({ top, height }) => y >= top && y < top + height);
  for (const { top, rows } of band?.lanes ?? []) {
    for (const [depth, nodes] of rows.entries()) {
      const bar = rowBox(top, depth);
      if (y < bar.top || y >= bar.top + bar.height || nodes === undefined) continue;
      const node = nodeAt(nodes, moment, slackNs);
      return node && { node, ...bar };
    }
  }
}

export const rowBox = (laneTop: number, depth: number): { top: number; height: number } =>
  depth === 0
    ? { top: laneTop, height: undertakingHeight }
    : { top: laneTop + undertakingHeight + (depth - 1) * stepHeight, height: stepHeight };

/** The node at that time, or the nearest one within the slack, since thin bars are hard to hit. */
function nodeAt(nodes: readonly Node[], moment: number, slackNs: number): Node | undefined {
  let nearest: Node | undefined;
  let distance = slackNs;
  for (let at = firstEndingAfter(nodes, moment - slackNs); at < nodes.length; at++) {
    const node = nodes[at]!;
    if (node.span.startNs > moment + slackNs) break;
    const away = Math.max(node.span.startNs - moment, moment - node.endNs, 0);
    if (away < distance || (away === 0 && distance === 0)) {
      nearest = node;
      distance = away;
    }
  }
  return nearest;
}

/** Bars of a row seldom overlap, so their ends are sorted as their beginnings are. */
export function firstEndingAfter(nodes: readonly Node[], moment: number): number {
  let low = 0;
  let high = nodes.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (nodes[middle]!.endNs < moment) low = middle + 1;
    else high = middle;
  }
  return low;
}
