/** The operations on a test cluster: `/coxswain/v1/…` of its server. */

import { detach } from '@coxswain/apimachinery/detach.ts';
import { signal } from '@preact/signals';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { useEffect } from 'preact/hooks';
import { client } from '../../cluster/cluster.ts';
import { setClusterTime } from '../../cluster/cluster-time.ts';
import { announce } from '../../controls/announcements.tsx';

export interface TestFault {
  readonly action: string;
  readonly verb?: string | readonly string[];
  readonly resource?: string | readonly string[];
  readonly user?: string | readonly string[];
  readonly probability?: number;
  readonly times?: number;
  readonly count: number;
}

/** A separate cluster that starts with the state of this one. */
export interface TestFork {
  readonly id: string;
  /** RFC 3339. */
  readonly now: string;
}

export interface TestingState {
  readonly seed: number;
  /** RFC 3339. */
  readonly now: string;
  readonly nodes: readonly { readonly name: string }[];
  readonly components: readonly { readonly name: string; readonly running: boolean }[];
  readonly faults: readonly TestFault[];
  readonly forks: readonly TestFork[];
}

interface Items<T> {
  readonly items: readonly T[];
}

const prefix = '/coxswain/v1/';

const state = signal<TestingState | undefined>(undefined);
const failure = signal<unknown>(undefined);
/** Whether an action is in progress. */
const busy = signal(false);

/** Snapshots with their server-assigned ids and their times. */
export const snapshots = signal<readonly { readonly id: string; readonly now: string }[]>([]);

const call = <T>(verb: string, path: string, body?: unknown): Promise<T> =>
  client.rest.request<T>({ verb, path: prefix + path, ...(body !== undefined && { body }) });

async function read(): Promise<void> {
  try {
    const [{ seed }, { now }, nodes, components, faults, forks] = await Promise.all([
      call<{ seed: number }>('GET', 'seed'),
      call<{ now: string }>('GET', 'clock'),
      call<Items<TestingState['nodes'][number]>>('GET', 'nodes'),
      call<Items<TestingState['components'][number]>>('GET', 'components'),
      call<Items<TestFault>>('GET', 'faults'),
      call<Items<TestFork>>('GET', 'forks'),
    ]);
    setClusterTime(now);
    state.value = {
      seed,
      now,
      nodes: nodes.items,
      components: components.items,
      faults: faults.items,
      forks: forks.items,
    };
    failure.value = undefined;
  } catch (reason) {
    failure.value = reason;
  }
}

const readEveryMs = 3000;

export function useTesting() {
  useEffect(() => {
    detach(read());
    const reading = setInterval(
      () => detach(document.hidden || busy.peek() ? undefined : read()),
      readEveryMs,
    );
    return () => clearInterval(reading);
  }, []);
  return { state: state.value, failure: failure.value, isBusy: busy.value };
}

/** Performs an action, reports a failure, and reads the state again. */
export async function act<T>(verb: 'POST' | 'DELETE', path: string, body?: unknown): Promise<T | undefined> {
  busy.value = true;
  try {
    return await call<T>(verb, path, body ?? (verb === 'POST' ? {} : undefined));
  } catch (reason) {
    announce('bad', messageOf(reason));
    return undefined;
  } finally {
    busy.value = false;
    await read();
  }
}

export async function takeSnapshot(): Promise<void> {
  const taken = await act<{ readonly id: string }>('POST', 'snapshots');
  const { now = '' } = state.peek() ?? {};
  if (taken !== undefined) snapshots.value = [...snapshots.value, { id: taken.id, now }];
}

/** @param snapshot the present state if undefined */
export async function forkOf(snapshot: string | undefined): Promise<void> {
  const fork = await act<{ readonly id: string }>(
    'POST',
    'forks',
    snapshot === undefined ? {} : { snapshot },
  );
  if (fork !== undefined) await openFork(fork.id);
}

/** Opens a new window, which browsers only allow shortly after a click. */
export async function openFork(id: string): Promise<void> {
  const answer = await act<{ readonly link: string }>('POST', `forks/${id}/ui`);
  if (answer !== undefined) window.open(answer.link, '_blank', 'noopener');
}
