/** The group versions of extension servers and their documents. */
import { detach } from '@coxswain/apimachinery/detach.ts';
import type { Clock } from '@coxswain/apimachinery';
import type { APIService } from '@coxswain/api/apiregistration/v1/index.ts';
import type { ElsewhereVersion } from '@coxswain/apiserver';
import type { Metrics } from '@coxswain/apimachinery/metrics/metrics.ts';
import { queueWatcher } from '@coxswain/client/queue/queue-metrics.ts';
import type { GenericStore } from '@coxswain/apiserver/generic-store.ts';
import { exponentialRetry } from '@coxswain/client/queue/failure-back-off.ts';
import { WorkQueue } from '@coxswain/client/queue/work-queue.ts';
import { runWorkers } from '@coxswain/client/queue/workers.ts';
import type { Storage } from '@coxswain/storage/storage.ts';
import { StoreFollower } from '../follow-store.ts';
import { as } from '../groups/any-object.ts';
import type { ExtensionClient } from './extension-client.ts';
import { isLocal } from './availability.ts';
import { discover, openApiIndex, openApiV2Of, stale, type Json } from './remote-documents.ts';

export interface RemoteGroupsParts {
  readonly clock: Clock;
  readonly storage: Storage;
  readonly apiServices: GenericStore;
  readonly servedHere: ReadonlySet<string>;
  readonly client: ExtensionClient;
  readonly metrics: Metrics;
}

export interface RemoteVersion {
  readonly apiService: APIService;
  readonly known: ElsewhereVersion;
  /** OpenAPI v3 documents of the server: URL by path. */
  readonly documents: ReadonlyMap<string, string>;
  /** The server's whole OpenAPI v2 document. */
  readonly openApiV2?: Json | undefined;
}

const failureFirstMs = 500;
const refreshMs = 60_000;
const workers = 2;

export class RemoteGroups {
  readonly #parts: RemoteGroupsParts;
  readonly #follower: StoreFollower;
  readonly #queue: WorkQueue;
  readonly #stopping = new AbortController();
  #remotes: ReadonlyMap<string, RemoteVersion> = new Map();

  constructor(parts: RemoteGroupsParts) {
    this.#parts = parts;
    this.#follower = new StoreFollower(parts.storage);
    this.#queue = new WorkQueue({
      clock: parts.clock,
      retry: exponentialRetry(failureFirstMs, refreshMs),
      watcher: queueWatcher('discovery-manager', parts.metrics, parts.clock),
    });
  }

  async start(): Promise<void> {
    detach(
      runWorkers({
        queue: this.#queue,
        workers,
        signal: this.#stopping.signal,
        reconcile: (name) => this.#refresh(name),
      }),
    );
    await this.#follower.follow(this.#parts.apiServices, {
      put: (object) => this.#put(as<APIService>(object)),
      remove: (_namespace, name) => this.#remove(name),
    });
  }

  stop(): void {
    this.#stopping.abort();
    this.#follower.stop();
  }

  /** The same map until something changes. */
  get remotes(): ReadonlyMap<string, RemoteVersion> {
    return this.#remotes;
  }

  find(group: string, version: string): APIService | undefined {
    return this.#remotes.get(`${version}.${group}`)?.apiService;
  }

  hasGroup(group: string): boolean {
    for (const { apiService } of this.#remotes.values()) if (apiService.spec?.group === group) return true;
    return false;
  }

  /** The server that has an OpenAPI v3 document for the path. */
  withDocument(path: string): APIService | undefined {
    for (const { apiService, documents } of this.#remotes.values())
      if (documents.has(path)) return apiService;
    return undefined;
  }

  #put(apiService: APIService): void {
    const name = apiService.metadata.name!;
    if (isLocal(apiService, this.#parts.servedHere)) return this.#remove(name);
    const before = this.#remotes.get(name) ?? { known: stale, documents: new Map<string, string>() };
    this.#set(name, { ...before, apiService });
    this.#queue.add(name);
  }

  #remove(name: string): void {
    if (!this.#remotes.has(name)) return;
    this.#remotes = new Map([...this.#remotes].filter(([other]) => other !== name));
  }

  #set(name: string, remote: RemoteVersion): void {
    this.#remotes = new Map([...this.#remotes, [name, remote]]);
  }

  async #refresh(name: string): Promise<number | void> {
    const { client } = this.#parts;
    const asked = this.#remotes.get(name);
    if (asked === undefined) return;
    const [known, documents, openApiV2] = await Promise.allSettled([
      discover(client, asked.apiService),
      openApiIndex(client, asked.apiService),
      openApiV2Of(client, asked.apiService),
    ]);
    const now = this.#remotes.get(name);
    if (now === undefined) return;
    this.#set(name, {
      apiService: now.apiService,
      known: known.status === 'fulfilled' ? known.value : { ...now.known, freshness: 'Stale' },
      documents: documents.status === 'fulfilled' ? documents.value : now.documents,
      openApiV2: openApiV2.status === 'fulfilled' ? openApiV2.value : now.openApiV2,
    });
    if (known.status === 'rejected') throw known.reason;
    return refreshMs;
  }
}
