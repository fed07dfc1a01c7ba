/** The load of the API server, from its own metrics, if the user may read them. */

import { detach } from '@coxswain/apimachinery/detach.ts';
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { isStatusError } from '@coxswain/apimachinery';
import { client } from '../../../cluster/cluster.ts';
import { ratesBetween, samplesOf, sumBy } from './scrape.ts';

export interface Traffic {
  /** `forbidden`: the user may not read metrics, or there are none. */
  readonly phase: 'measuring' | 'measured' | 'forbidden';
  /** Requests per second. */
  readonly byVerb: ReadonlyMap<string, number>;
  /** By the flow schema that the requests match. */
  readonly byFlow: ReadonlyMap<string, number>;
  readonly queues: readonly Queue[];
}

export interface Queue {
  readonly name: string;
  readonly depth: number;
  readonly addsPerSecond: number;
}

const names = [
  'apiserver_request_total',
  'apiserver_flowcontrol_dispatched_requests_total',
  'workqueue_depth',
  'workqueue_adds_total',
];

/** A scrape is a megabyte or more. */
const everyMs = 10_000;
const firstAfterMs = 2000;

const nothing: ReadonlyMap<string, number> = new Map();
const traffic = signal<Traffic>({ phase: 'measuring', byVerb: nothing, byFlow: nothing, queues: [] });

export function useTraffic(): Traffic {
  useEffect(() => {
    const leaving = new AbortController();
    detach(measure(leaving.signal));
    return () => leaving.abort();
  }, []);
  return traffic.value;
}

interface Reading {
  readonly timeMs: number;
  readonly verbs: ReadonlyMap<string, number>;
  readonly flows: ReadonlyMap<string, number>;
  readonly adds: ReadonlyMap<string, number>;
  readonly depths: ReadonlyMap<string, number>;
}

async function measure(signal: AbortSignal): Promise<void> {
  let before: Reading | undefined;
  while (!signal.aborted) {
    try {
      if (!document.hidden) {
        const now = await read(signal);
        if (before !== undefined) traffic.value = between(before, now);
        before = now;
      }
    } catch (failure) {
      if (signal.aborted) return;
      if (isStatusError(failure)) {
        traffic.value = { ...traffic.value, phase: 'forbidden' };
        return;
      }
    }
    const waitMs = traffic.value.phase === 'measured' ? everyMs : firstAfterMs;
    await client.rest.clock.sleep(waitMs, signal).catch(() => undefined);
  }
}

async function read(signal: AbortSignal): Promise<Reading> {
  const answer = await client.rest.send({ verb: 'GET', path: '/metrics', accept: 'text/plain', signal });
  const found = samplesOf(new TextDecoder().decode(await answer.bytes()), names);
  const sums = (index: number, label: string) => sumBy(found.get(names[index]!)!, label);
  return {
    timeMs: performance.now(),
    verbs: sums(0, 'verb'),
    flows: sums(1, 'flow_schema'),
    depths: sums(2, 'name'),
    adds: sums(3, 'name'),
  };
}

function between(before: Reading, now: Reading): Traffic {
  const seconds = (now.timeMs - before.timeMs) / 1000;
  const adds = ratesBetween(before.adds, now.adds, seconds);
  return {
    phase: 'measured',
    byVerb: ratesBetween(before.verbs, now.verbs, seconds),
    byFlow: ratesBetween(before.flows, now.flows, seconds),
    queues: [...now.depths].map(([name, depth]) => ({ name, depth, addsPerSecond: adds.get(name) ?? 0 })),
  };
}
