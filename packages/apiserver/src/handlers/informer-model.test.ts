/**
 * Clients list and watch as informers do while others write, connections break, history is compacted and the store is
 * restored: the state that each client derives from its events must equal the server's list.
 */
import { ConfigMap } from '@coxswain/api/core/v1/config-map.ts';
import { ManualClock, seededRandom, type Random } from '@coxswain/apimachinery';
import { MemoryStorage } from '@coxswain/storage';
import { expect, test } from 'vitest';
import { inProcessTransport } from '../http/in-process.ts';
import { configMaps } from '../testing/config-map.ts';
import { inMemoryApi, type InMemoryApi } from '../testing/in-memory-api.ts';

const names = ['a', 'b', 'c', 'd', 'e', 'f'];
const stepsPerRun = 100;

interface Seen {
  readonly metadata: { readonly name: string; readonly resourceVersion: string };
}

interface SeenEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  readonly object: Seen & { readonly code?: number };
}

interface Habit {
  /** How the first list, and each list after a disconnect, is requested. */
  readonly begin: 'newest' | 'any' | 'exact' | 'watch-list';
  readonly selection: string;
  readonly bookmarks: boolean;
}

const habits: readonly Habit[] = (['newest', 'any', 'exact', 'watch-list'] as const).flatMap((begin) =>
  ['', '&labelSelector=half%3Dyes', '&fieldSelector=metadata.name%3Db'].map((selection, index) => ({
    begin,
    selection,
    bookmarks: index !== 1,
  })),
);

/** Lists, watches from there, and lists again only when the server demands it. */
class Follower {
  readonly habit: Habit;
  readonly objects = new Map<string, string>();
  readonly #api: InMemoryApi;
  readonly #transport: ReturnType<typeof inProcessTransport>;
  readonly #stop = new AbortController();
  #connection = new AbortController();
  #revision: number | undefined;
  readonly problems: string[] = [];

  constructor(api: InMemoryApi, habit: Habit) {
    this.#api = api;
    this.habit = habit;
    this.#transport = inProcessTransport({
      serve: (incoming) => api.chain.serve(incoming),
      structured: false,
    });
  }

  async run(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      if (this.#revision === undefined && this.habit.begin !== 'watch-list') await this.#list();
      if (this.#revision !== undefined || this.habit.begin === 'watch-list') await this.#watch();
    }
  }

  disconnect(): void {
    this.#connection.abort();
  }

  stop(): void {
    this.#stop.abort();
    this.disconnect();
  }

  async #list(): Promise<void> {
    const query = await this.#listQuery();
    const { status, json } = await this.#api.request('GET', `${configMaps}?${query}${this.habit.selection}`);
    // The version that was the newest has been compacted.
    if (status === 410 && this.habit.begin === 'exact') return;
    if (status !== 200) return void this.problems.push(`list ${query}: ${status} ${json.message}`);
    this.objects.clear();
    for (const { metadata } of json.items as Seen[])
      this.objects.set(metadata.name, metadata.resourceVersion);
    this.#revision = Number(json.metadata.resourceVersion);
  }

  async #listQuery(): Promise<string> {
    if (this.habit.begin === 'any') return 'resourceVersion=0';
    if (this.habit.begin === 'newest') return 'limit=500';
    const { metadata } = (await this.#api.request('GET', `${configMaps}?limit=1`)).json as {
      metadata: { resourceVersion: string };
    };
    return `resourceVersion=${metadata.resourceVersion}&resourceVersionMatch=Exact`;
  }

  async #watch(): Promise<void> {
    this.#connection = new AbortController();
    const begin =
      this.#revision === undefined
        ? 'sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true'
        : `resourceVersion=${this.#revision}&allowWatchBookmarks=${this.habit.bookmarks}`;
    const response = await this.#transport.send({
      method: 'GET',
      path: `${configMaps}?watch=true&${begin}${this.habit.selection}`,
      headers: { authorization: 'Bearer test-token' },
      signal: this.#connection.signal,
    });
    if (this.#revision === undefined) this.objects.clear();
    try {
      for await (const event of linesOf(response.stream())) if (!this.#take(event)) return;
    } catch {
      // The connection broke; the state up to then remains valid.
    }
    if (this.#revision === undefined) this.objects.clear();
  }

  /** Returns false when the client must list again. */
  #take({ type, object }: SeenEvent): boolean {
    if (type === 'ERROR') {
      if (object.code !== 410) this.problems.push(`error ${object.code}`);
      this.#revision = undefined;
      return false;
    }
    const { name, resourceVersion } = object.metadata;
    const revision = Number(resourceVersion);
    const isInitial = this.#revision === undefined;
    if (!isInitial && revision < this.#revision!) {
      this.problems.push(`${type} ${name} at ${revision} came after ${this.#revision}`);
    }
    if (type !== 'BOOKMARK' && this.objects.has(name) !== (type !== 'ADDED')) {
      this.problems.push(`${type} ${name} at ${revision} of an object that is ${this.objects.get(name)}`);
    }
    if (type === 'ADDED' || type === 'MODIFIED') this.objects.set(name, resourceVersion);
    if (type === 'DELETED') this.objects.delete(name);
    if (type === 'BOOKMARK' || !isInitial) this.#revision = revision;
    return true;
  }
}

async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<SeenEvent> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of chunks) {
    text += decoder.decode(chunk, { stream: true });
    const lines = text.split('\n');
    text = lines.pop()!;
    for (const line of lines) yield JSON.parse(line) as SeenEvent;
  }
}

async function writeSomething({ request }: InMemoryApi, random: Random): Promise<void> {
  const name = names[Math.floor(random.next() * names.length)]!;
  const labels = { half: random.next() < 0.5 ? 'yes' : 'no' };
  const merge = { 'content-type': 'application/merge-patch+json' };
  const kind = random.next();
  if (kind < 0.4) await request('POST', configMaps, { metadata: { name, labels } });
  else if (kind < 0.8) {
    const data = { k: String(random.next()) };
    await request('PATCH', `${configMaps}/${name}`, { metadata: { labels }, data }, merge);
  } else await request('DELETE', `${configMaps}/${name}`);
}

async function settle(clock: ManualClock): Promise<void> {
  for (let turn = 0; turn < 3; turn++) {
    await clock.advance(100);
    await new Promise<void>((resolve) => void setImmediate(resolve));
  }
}

async function listed(api: InMemoryApi, selection: string): Promise<Record<string, string>> {
  const { items } = (await api.request('GET', `${configMaps}?limit=500${selection}`)).json as {
    items: Seen[];
  };
  return Object.fromEntries(items.map(({ metadata }) => [metadata.name, metadata.resourceVersion]));
}

test.for(Array.from({ length: 12 }, (_, index) => index + 1))(
  'informers end with what the server has, whatever happens to them (seed %d)',
  async (seed) => {
    const random = seededRandom(seed);
    const clock = new ManualClock();
    const storage = new MemoryStorage({ clock });
    const api = inMemoryApi({ resources: [{ kind: ConfigMap }], clock, storage });
    const followers = habits.map((habit) => new Follower(api, habit));
    const runs = followers.map((follower) => follower.run());
    let snapshot = storage.snapshot();
    for (let step = 0; step < stepsPerRun; step++) {
      const act = random.next();
      if (act < 0.7) await Promise.all([1, 2, 3].map(() => writeSomething(api, random)));
      else if (act < 0.85) followers[Math.floor(random.next() * followers.length)]!.disconnect();
      else if (act < 0.88) await storage.compact(storage.currentRevision).catch(() => undefined);
      else if (act < 0.91) snapshot = storage.snapshot();
      else if (act < 0.94) storage.reset(snapshot);
      else await settle(clock);
    }
    await settle(clock);
    await settle(clock);

    for (const { habit, objects, problems } of followers) {
      expect([habit, problems]).toEqual([habit, []]);
      expect([habit, Object.fromEntries(objects)]).toEqual([habit, await listed(api, habit.selection)]);
    }
    for (const follower of followers) follower.stop();
    await settle(clock);
    await Promise.all(runs);
  },
);
