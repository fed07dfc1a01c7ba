/** Between the server's main thread and a thread that serves large requests for it. */
import type { PostedAnswer, PostedRequest } from '@coxswain/apiserver/posted-request.ts';
import type { StoredForm } from '@coxswain/apiserver/registry/object-codec.ts';
import type { MessagePort } from 'node:worker_threads';
import type { KubeApiServerSettings } from '../create.ts';

const plain = [
  'advertiseAddress',
  'authorizationModes',
  'disableAdmissionPlugins',
  'enableAdmissionPlugins',
  'featureGates',
  'hostName',
  'emulationForwardCompatible',
  'runtimeConfig',
  'runtimeConfigEmulationForwardCompatible',
  'serviceClusterIpRanges',
  'version',
] as const satisfies readonly (keyof KubeApiServerSettings)[];

/** Settings without functions, which cross to another thread as they are. */
export type PlainSettings = Pick<KubeApiServerSettings, (typeof plain)[number]>;

export const plainSettings = (settings: Partial<KubeApiServerSettings>): PlainSettings =>
  Object.fromEntries(plain.filter((name) => name in settings).map((name) => [name, settings[name]]));

/** Where the thread has its settings from: it reads the flags of the program anew, or gets them. */
export type WorkerSettings =
  | { readonly kind: 'arguments'; readonly args: readonly string[] }
  | { readonly kind: 'plain'; readonly settings: PlainSettings };

export interface WorkerData {
  readonly settings: WorkerSettings;
  /** In which form values are written; groups that are always JSON know it themselves. */
  readonly storedForm: StoredForm;
  /** Where the main thread answers for its store. */
  readonly storage: MessagePort;
}

/** What a thread is asked for. */
export type Job =
  | { readonly kind: 'serve'; readonly request: PostedRequest }
  /** JSON to be written in another form. */
  | {
      readonly kind: 'reform';
      readonly json: Uint8Array;
      readonly media: 'json' | 'yaml';
      readonly pretty: boolean;
    };

export type ToWorker =
  | { readonly id: number; readonly kind: 'job'; readonly job: Job }
  /** Nobody waits for it any more. */
  | { readonly id: number; readonly kind: 'abandon' };

export type FromWorker =
  | { readonly kind: 'ready' }
  | { readonly kind: 'done'; readonly id: number; readonly result: PostedAnswer | Uint8Array }
  | { readonly kind: 'failed'; readonly id: number; readonly message: string }
  | { readonly kind: 'log'; readonly line: string };
