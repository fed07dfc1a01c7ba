/** Three writers, each counting up in its objects, and a watch where one is wanted. */
import type { Answer, ApiServer, WatchedEvent } from '../one-etcd/servers.ts';
import { Ledger } from '../soak/watch-ledger.ts';

export const configMaps = '/api/v1/namespaces/default/configmaps';

export class Load {
  /** What the watch was not told of, and other surprises. */
  readonly ledger = new Ledger();
  readonly #server: ApiServer;
  readonly #ending = new AbortController();
  readonly #watchEnding = new AbortController();
  readonly #written: Promise<unknown>;
  #watched: Promise<void> | undefined;
  readonly newest = new Map<string, { readonly version: number; readonly turn: number }>();
  mayGoBack = false;
  #acknowledged = 0;
  #refused = 0;
  #sinceForgotten = 0;

  constructor(server: ApiServer) {
    this.#server = server;
    this.#written = Promise.all(['a', 'b', 'c'].map((name) => this.#write(name)));
  }

  /** With a watch, which has to be told of all that is acknowledged. A watch that ends is begun again where it ended. */
  static async watched(server: ApiServer): Promise<Load> {
    const { json } = await server.send('GET', `${configMaps}?limit=1`);
    const load = new Load(server);
    load.#watched = load.#watch(json.metadata.resourceVersion);
    return load;
  }

  has(count: number): boolean {
    return this.#sinceForgotten >= count;
  }

  /** Anew: what was acknowledged is not expected to be there any more. */
  begin(): void {
    this.newest.clear();
    this.mayGoBack = false;
  }

  forget(): void {
    this.#sinceForgotten = 0;
  }

  counts(): { readonly acknowledged: number; readonly refused: number } {
    return { acknowledged: this.#acknowledged, refused: this.#refused };
  }

  async stop(): Promise<void> {
    this.#ending.abort();
    await this.#written;
    if (this.#watched === undefined) return;
    await this.ledger.settled();
    this.#watchEnding.abort();
    await this.#watched;
  }

  async #watch(from: string): Promise<void> {
    const report = this.ledger.addWatch('the watch');
    let last = from;
    const onEvent = ({ type, object }: WatchedEvent): void => {
      if (type === 'ERROR') return this.ledger.note(`the watch ended with ${JSON.stringify(object)}`);
      last = (object as { metadata: { resourceVersion: string } }).metadata.resourceVersion;
      if (type !== 'BOOKMARK') report(Number(last));
    };
    const { signal } = this.#watchEnding;
    while (!signal.aborted) {
      const query = `watch=1&allowWatchBookmarks=true&resourceVersion=${last}`;
      const status = await this.#server.follow(`${configMaps}?${query}`, onEvent, signal).catch(() => 0);
      if (status >= 400 && status < 500) this.ledger.note(`the watch was answered ${status}`);
      if (!signal.aborted) await pause(100);
    }
  }

  async #write(name: string): Promise<void> {
    for (let turn = 0; !this.#ending.signal.aborted; turn++) {
      const object = `faulted-${name}-${turn % 20}`;
      const answer = await this.#put(object, turn).catch(() => undefined);
      if (answer === undefined || answer.status >= 300) {
        this.#refused++;
        await pause(100);
        continue;
      }
      const version = Number(answer.json.metadata.resourceVersion);
      const before = this.newest.get(object)?.version ?? 0;
      if (version <= before && !this.mayGoBack)
        throw new Error(`${object} went back from ${before} to ${version}`);
      this.newest.set(object, { version, turn });
      this.#acknowledged++;
      if (this.#watched !== undefined) this.ledger.acknowledge(version);
      this.#sinceForgotten++;
      await pause(10);
    }
  }

  /** Applied: what an attempt that was not answered may have stored doesn't matter. */
  #put(object: string, turn: number): Promise<Answer> {
    const body = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: object },
      data: { turn: `${turn}` },
    };
    const query = 'fieldManager=faults&force=true';
    return this.#server.send(
      'PATCH',
      `${configMaps}/${object}?${query}`,
      body,
      'application/apply-patch+yaml',
    );
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms));
