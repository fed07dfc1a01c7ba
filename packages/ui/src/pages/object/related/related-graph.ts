/** A graph of everything that leads to an object and everything that it leads to, small enough to look at. */

import {
  idOf,
  linksOf,
  podLabelsOf,
  podSelectorOf,
  type KnownObject,
  type Link,
  type ObjectName,
  type Relation,
} from './links-of.ts';

export interface RelatedNode extends ObjectName {
  readonly id: string;
  readonly isRoot: boolean;
  /** The known object; undefined if it is known only by name. */
  readonly known: KnownObject | undefined;
  /** The number of further objects of its kind that this node represents. */
  readonly others: number;
}

export interface RelatedEdge {
  readonly from: string;
  readonly to: string;
  readonly by: Relation;
}

export interface RelatedGraph {
  readonly nodes: readonly RelatedNode[];
  readonly edges: readonly RelatedEdge[];
}

/** The maximum number of nodes of a kind at one distance; the others are only counted. */
const ofOneKindMax = 6;

/** The maximum total: a larger graph would be illegible. */
const nodesMax = 400;

/**
 * @param root the object in the middle
 * @param others the known objects around it
 * @param isUnwell unhealthy objects are shown before others of their kind
 */
export function relatedGraph(
  root: KnownObject,
  others: readonly KnownObject[],
  isUnwell: (known: KnownObject) => boolean,
): RelatedGraph {
  const known = new Map([...others, root].map((one) => [idOf(one), one]));
  const links = allLinks([...known.values()]);
  const distances = distancesFrom(idOf(root), links);
  const shown = nearest(
    links.filter(({ from, to }) => distances.has(idOf(from)) && distances.has(idOf(to))),
    distances,
  );
  const names = new Map<string, ObjectName>([[idOf(root), root]]);
  for (const { from, to } of shown) for (const name of [from, to]) names.set(idOf(name), name);
  return grouped(idOf(root), names, shown, distances, known, isUnwell);
}

/** Links by fields and by selectors, both of pods and of objects that create pods. */
function allLinks(objects: readonly KnownObject[]): readonly Link[] {
  const links = objects.flatMap(linksOf);
  const selecting = objects.flatMap((object) => {
    const selector = podSelectorOf(object);
    return selector === undefined ? [] : [{ object, selector }];
  });
  for (const to of objects) {
    const labels = podLabelsOf(to);
    if (labels === undefined) continue;
    for (const { object: from, selector } of selecting)
      if (from.namespace === to.namespace && selector.matches(labels))
        links.push({ from, to, by: 'selects' });
  }
  return links;
}

/** The distance of each object from the root: negative if it leads to the root, positive if the root leads to it. */
function distancesFrom(root: string, links: readonly Link[]): ReadonlyMap<string, number> {
  const distances = new Map([[root, 0]]);
  for (const step of [1, -1]) {
    const next = new Map<string, string[]>();
    for (const { from, to } of links) {
      const [here, there] = step === 1 ? [idOf(from), idOf(to)] : [idOf(to), idOf(from)];
      next.set(here, [...(next.get(here) ?? []), there]);
    }
    let edge = [root];
    for (let distance = step; edge.length > 0 && distances.size < nodesMax; distance += step) {
      const found = new Set(edge.flatMap((id) => next.get(id) ?? []).filter((id) => !distances.has(id)));
      for (const id of found) distances.set(id, distance);
      edge = [...found];
    }
  }
  return distances;
}

/**
 * A template and the objects created from it have the same links. Among objects that own one another, only the links of
 * the one nearest to the root are kept.
 */
function nearest(links: readonly Link[], distances: ReadonlyMap<string, number>): readonly Link[] {
  const owners = new Map<string, string>();
  for (const { from, to, by } of links) if (by === 'owns') owners.set(idOf(to), idOf(from));
  const family = (id: string): string => {
    let top = id;
    for (let depth = 0; depth < ownersMax && owners.has(top); depth++) top = owners.get(top)!;
    return top;
  };
  const far = (id: string): number => Math.abs(distances.get(id)!);
  const best = new Map<string, number>();
  const keysOf = ({ from, to, by }: Link): readonly (readonly [key: string, distance: number])[] => [
    [`from ${family(idOf(from))} ${by} ${idOf(to)}`, far(idOf(from))],
    [`to ${family(idOf(to))} ${by} ${idOf(from)}`, far(idOf(to))],
  ];
  const isInFamily = ({ by }: Link): boolean => by === 'owns' || by === 'endpoint';
  for (const link of links)
    if (!isInFamily(link))
      for (const [key, distance] of keysOf(link))
        best.set(key, Math.min(best.get(key) ?? Infinity, distance));
  return links.filter(
    (link) => isInFamily(link) || keysOf(link).every(([key, distance]) => distance <= best.get(key)!),
  );
}

/** A limit, since owner references may form a cycle by mistake. */
const ownersMax = 16;

function grouped(
  root: string,
  names: ReadonlyMap<string, ObjectName>,
  links: readonly Link[],
  distances: ReadonlyMap<string, number>,
  known: ReadonlyMap<string, KnownObject>,
  isUnwell: (known: KnownObject) => boolean,
): RelatedGraph {
  const groups = Map.groupBy(names, ([id, { group, kind }]) => `${distances.get(id)} ${group}/${kind}`);
  const nodes: RelatedNode[] = [];
  const standsFor = new Map<string, string>();
  for (const members of groups.values()) {
    const sorted = members.toSorted(([one], [other]) => rank(other) - rank(one) || (one < other ? -1 : 1));
    const few = sorted.length > ofOneKindMax ? sorted.slice(0, ofOneKindMax - 1) : sorted;
    for (const [id, name] of few)
      nodes.push({ ...nameOnly(name), id, isRoot: id === root, known: known.get(id), others: 0 });
    const rest = sorted.slice(few.length);
    const [first] = rest;
    if (first === undefined) continue;
    const id = `${first[0]} …`;
    nodes.push({ ...nameOnly(first[1]), id, isRoot: false, known: undefined, others: rest.length });
    for (const [hidden] of rest) standsFor.set(hidden, id);
  }
  const edges = new Map<string, RelatedEdge>();
  for (const { from, to, by } of links) {
    const edge = { from: idOf(from), to: idOf(to), by };
    const drawn = {
      ...edge,
      from: standsFor.get(edge.from) ?? edge.from,
      to: standsFor.get(edge.to) ?? edge.to,
    };
    edges.set(`${drawn.from} → ${drawn.to}`, drawn);
  }
  return { nodes, edges: [...edges.values()] };

  function rank(id: string): number {
    const one = known.get(id);
    return one !== undefined && isUnwell(one) ? 1 : 0;
  }
}

const nameOnly = ({ group, kind, namespace, name }: ObjectName): ObjectName => ({
  group,
  kind,
  namespace,
  name,
});
