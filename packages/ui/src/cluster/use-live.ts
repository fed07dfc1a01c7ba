/** Live objects for components. Components with the same key share a watch, which outlives a visit to another page. */

import type { KubeObject } from '@coxswain/apimachinery';
import type { ListWatch } from '@coxswain/client';
import { useEffect, useMemo } from 'preact/hooks';
import { LiveObjects, type LiveState } from './live-objects.ts';

export interface LiveSpec<T extends KubeObject> {
  /** Identifies everything that `source` depends on. */
  readonly key: string;
  readonly source: (onPage: (objects: readonly T[]) => void) => ListWatch<T>;
}

interface Shared {
  readonly live: LiveObjects<KubeObject>;
  users: number;
  stopping: ReturnType<typeof setTimeout> | undefined;
}

const shared = new Map<string, Shared>();

/** How long an unused watch is kept, since the user may soon return. */
const keptMs = 30_000;

/** Returns the state of the objects and redraws the component when it changes. Undefined without a spec. */
export function useLive<T extends KubeObject>(spec: LiveSpec<T>): LiveState<T>;
export function useLive<T extends KubeObject>(spec: LiveSpec<T> | undefined): LiveState<T> | undefined;
export function useLive<T extends KubeObject>(spec: LiveSpec<T> | undefined): LiveState<T> | undefined {
  const one = useMemo(() => (spec === undefined ? undefined : sharedFor(spec)), [spec?.key]);
  useEffect(() => {
    if (one === undefined || spec === undefined) return undefined;
    use(one);
    return () => leave(spec.key, one);
  }, [one]);
  return one?.live.state.value as LiveState<T> | undefined;
}

function sharedFor<T extends KubeObject>({ key, source }: LiveSpec<T>): Shared {
  const known = shared.get(key);
  if (known !== undefined) return known;
  const live = new LiveObjects(source) as unknown as LiveObjects<KubeObject>;
  const one: Shared = { live, users: 0, stopping: undefined };
  shared.set(key, one);
  stopLater(key, one);
  return one;
}

function use(one: Shared): void {
  one.users++;
  clearTimeout(one.stopping);
}

function leave(key: string, one: Shared): void {
  one.users--;
  if (one.users === 0) stopLater(key, one);
}

function stopLater(key: string, one: Shared): void {
  one.stopping = setTimeout(() => {
    one.live.stop();
    shared.delete(key);
  }, keptMs);
}
