/** The one cluster that the page shows: its client, and what is known of it from the start. */

import { systemClock, systemRandom, type GroupVersionResource } from '@coxswain/apimachinery';
import { createClient, type KubeClient, type ResourceClient } from '@coxswain/client';
import { signal } from '@preact/signals';
import { BrowserTransport } from '../transport/browser-transport.ts';

export const transport = new BrowserTransport();

export const client: KubeClient = createClient({
  transport,
  onWarning: (text) => void (warnings.value = [...warnings.value.slice(1 - warningsMax), text]),
});

/** Of a namespace; without one, of the cluster. */
export function resourceIn(kind: GroupVersionResource, namespace: string | undefined): ResourceClient {
  const all = client.resource(kind);
  return namespace === undefined ? all : all.namespace(namespace);
}

export const reach = transport.reachability.state;

const warningsMax = 20;

/** What the API server warned of, newest last. */
export const warnings = signal<readonly string[]>([]);

/** Who changes objects through this page. */
export const fieldManager = 'coxswain-ui';

export const clock = systemClock;
export const random = systemRandom;

/** What the server of the page says. */
export interface Facts {
  readonly cluster: string;
  /** Of the context. */
  readonly namespace: string;
  readonly hasRecording: boolean;
  /** Its clock, faults and nodes can be controlled. */
  readonly isTestCluster: boolean;
  /** Its server makes recordings. */
  readonly canRecord: boolean;
}

export const facts = signal<Facts>({
  cluster: '',
  namespace: 'default',
  hasRecording: false,
  isTestCluster: false,
  canRecord: false,
});

export class NotSignedIn extends Error {
  override readonly name = 'NotSignedIn';
}

/** @throws NotSignedIn where the session is over, as after a restart of the server */
export async function readFacts(): Promise<void> {
  const response = await fetch('/facts.json');
  if (response.status === 401) throw new NotSignedIn();
  facts.value = (await response.json()) as Facts;
}
