/**
 * The time of the cluster, by which ages are counted. A test cluster has a clock of its own, which usually stands still
 * and is months away from that of the browser.
 */

import { detach } from '@coxswain/apimachinery/detach.ts';
import { signal } from '@preact/signals';
import { client, facts } from './cluster.ts';

/** The test cluster's clock when it was last read; undefined while the cluster has the browser's time. */
const virtualMs = signal<number | undefined>(undefined);

/** Counts what makes ages grow; it stops while the page is hidden. */
const ticks = signal(0);

const everyMs = 5000;

/** A clock this near to the browser's runs as fast. */
const sameMs = 60_000;

/** Components that read it are updated when a test cluster's clock moves. */
export const clusterNowMs = (): number => virtualMs.value ?? Date.now();

/** As `clusterNowMs`, updated every few seconds. */
export function tickingNowMs(): number {
  void ticks.value;
  return clusterNowMs();
}

/** @param now RFC 3339, as a test cluster says it */
export function setClusterTime(now: string): void {
  const ms = Date.parse(now);
  virtualMs.value = Math.abs(ms - Date.now()) < sameMs ? undefined : ms;
}

/** Keeps the time current; resolves once it is known. */
export async function followClusterTime(): Promise<void> {
  setInterval(() => {
    if (document.hidden) return;
    ticks.value++;
    detach(readClusterTime());
  }, everyMs);
  await readClusterTime();
}

async function readClusterTime(): Promise<void> {
  if (!facts.peek().isTestCluster) return;
  try {
    const { now } = await client.rest.request<{ now: string }>({ verb: 'GET', path: '/coxswain/v1/clock' });
    setClusterTime(now);
  } catch {
    // The page says elsewhere that the server is lost; ages stay as they are.
  }
}
