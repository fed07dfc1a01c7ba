/** What the examples of the reference speak of, for the compiler. No value is there. */

import type { Clock, KubeObject, LabelSelector, Random } from '@coxswain/apimachinery';
import type { Deployment } from '@coxswain/api/apps/v1/index.ts';
import type { Pod } from '@coxswain/api/core/v1/index.ts';
import type {
  EventRecorder,
  Informer,
  InformerFactory,
  KindRef,
  KubeClient,
  Transport,
  WorkQueue,
} from '@coxswain/client';
import type { DiskCacheOptions } from '@coxswain/client/node.ts';
import type { Manager, Runnable } from '@coxswain/controller';
import type { WorkerCluster } from '../../../packages/coxswain/types/browser.d.ts';
import type { TestCluster } from '../../../packages/coxswain/types/testing.d.ts';

export { Deployment } from '@coxswain/api/apps/v1/index.ts';
export { ConfigMap, Pod, Secret } from '@coxswain/api/core/v1/index.ts';
export { writeFileSync } from 'node:fs';
export { homedir } from 'node:os';
export { test } from 'node:test';
export { expect } from 'vitest';
export { default as path } from 'node:path';

export interface Widget extends KubeObject {
  readonly spec: { readonly size?: number };
}
export declare const Widget: KindRef<Widget>;
export declare const widget: Widget;
export declare function specFor(widget: Widget): object;
export declare function cleanUp(widget: Widget): Promise<void>;

export declare const cluster: TestCluster;
export declare const workerCluster: WorkerCluster;
/** YAML. */
export declare const manifests: string;
export declare const terminal: { write(text: string): void };

export declare const client: KubeClient;
export declare const hubClient: KubeClient;
export declare const transport: Transport;
export declare const cacheOptions: DiskCacheOptions;
export declare const clock: Clock;
export declare const random: Random;
export declare const signal: AbortSignal;
export declare const object: KubeObject;
export declare const pod: KubeObject & Pod;
export declare const deployment: KubeObject & Deployment;
export declare const podsResource: {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
};
export declare const informers: InformerFactory;
export declare const informer: Informer<KubeObject>;
export declare const queue: WorkQueue;
export declare const recorder: EventRecorder;
export declare const selector: LabelSelector;
export declare function reconcile(key: string): Promise<void>;

export declare const manager: Manager;
export declare const scaler: Runnable;
export declare const database: { ping(): Promise<void> };
