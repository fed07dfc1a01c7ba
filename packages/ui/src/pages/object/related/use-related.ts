import type { KubeObject } from '@coxswain/apimachinery';
import type { ApiResource } from '@coxswain/client';
import { useEffect, useState } from 'preact/hooks';
import { healthOf } from '../../../health/health-of.ts';
import { isUnwell } from '../../../health/health.ts';
import type { KnownObject } from './links-of.ts';
import { placed, type PlacedGraph } from './layout.ts';
import { knownObject, readNeighbours, soughtByName, type Neighbours } from './neighbours.ts';
import { relatedGraph } from './related-graph.ts';

export interface Related extends Pick<Neighbours, 'hidden' | 'cut'> {
  readonly graph: PlacedGraph;
  /** The results for nodes that were known only by name, by id. */
  readonly sought: ReadonlyMap<string, KnownObject | 'missing'>;
}

export interface RelatedState {
  readonly related?: Related;
  readonly failure?: unknown;
}

/** Changes of an object come in bursts. */
const readAfterMs = 800;

/** Reads related objects when the object is opened, and again after each change of it. */
export function useRelated(kind: ApiResource, object: KubeObject): RelatedState {
  const [state, setState] = useState<RelatedState>({});
  useEffect(() => {
    const leaving = new AbortController();
    const begin = (): void => {
      read(kind, object, leaving.signal).then(
        (related) => leaving.signal.aborted || setState({ related }),
        (failure: unknown) => leaving.signal.aborted || setState((before) => ({ ...before, failure })),
      );
    };
    const waiting = setTimeout(begin, state.related === undefined ? 0 : readAfterMs);
    return () => {
      clearTimeout(waiting);
      leaving.abort();
    };
  }, [object.metadata.uid, object.metadata.resourceVersion]);
  return state;
}

async function read(kind: ApiResource, object: KubeObject, signal: AbortSignal): Promise<Related> {
  const root = knownObject(kind, object);
  const { objects, hidden, cut } = await readNeighbours(kind, root, signal);
  const graph = relatedGraph(root, objects, (known) => isUnwell(healthOf(known, known.object)));
  const named = graph.nodes.filter(({ known, others }) => known === undefined && others === 0);
  return { graph: placed(graph), sought: await soughtByName(named, signal), hidden, cut };
}
