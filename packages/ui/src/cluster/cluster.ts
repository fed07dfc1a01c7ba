/** The one cluster that the page shows: its client, and the facts known from the start. */

import { systemClock, systemRandom, type GroupVersionResource } from '@coxswain/apimachinery';
import { createClient, type KubeClient, type ResourceClient } from '@coxswain/client';
import { signal } from '@preact/signals';
import { BrowserTransport } from '../transport/browser-transport.ts';

export const transport = new BrowserTransport();

export const client: KubeClient = createClient({
  transport,
  onWarning: (text) => void (warnings.value = [...warnings.value.slice(1 - warningsMax), text]),
});

/** The resource in a namespace, or cluster-wide without one. */
export function resourceIn(kind: GroupVersionResource, namespace: string | undefined): ResourceClient {
  const all = client.resource(kind);
  return namespace === undefined ? all : all.namespace(namespace);
}

export const reach = transport.reachability.state;

const warningsMax = 20;

/** The API server's warnings, newest last. */
export const warnings = signal<readonly string[]>([]);

/** The field manager of changes made through this page. */
export const fieldManager = 'coxswain-ui';

export const clock = systemClock;
export const random = systemRandom;

/** What the page's server reports about itself and the cluster. */
export interface Facts {
  readonly cluster: string;
  /** The namespace of the kubeconfig context. */
  readonly namespace: string;
  readonly hasRecording: boolean;
  /** Whether the cluster's clock, faults and nodes can be controlled. */
  readonly isTestCluster: boolean;
  /** Whether the cluster's server can make recordings. */
  readonly canRecord: boolean;
  /** Distinguishes clusters with the same name and address. Empty if the user may not know it. */
  readonly clusterId: string;
}

export const facts = signal<Facts>({
  cluster: '',
  namespace: 'default',
  hasRecording: false,
  isTestCluster: false,
  canRecord: false,
  clusterId: '',
});

export class NotSignedIn extends Error {
  override readonly name = 'NotSignedIn';
}

/** @throws NotSignedIn if the session is over, for example after a restart of the server */
export async function readFacts(): Promise<void> {
  const response = await fetch('/facts.json');
  if (response.status === 401) throw new NotSignedIn();
  facts.value = (await response.json()) as Facts;
}
