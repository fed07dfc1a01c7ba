/**
 * Writers, readers and watches at several API servers at once, who tell what must not be: an acknowledged write that is
 * lost, a consistent read of something older than what was acknowledged before it, an event missing or out of order.
 *
 * Each object has one writer, which counts its turns and writes only over what it has read. Whatever becomes of a
 * write that was not answered, the turns of an object only ever grow.
 */
import type { Random } from '@coxswain/apimachinery';
import type { Answer, ApiServer, WatchedEvent } from '../one-etcd/servers.ts';

const path = '/api/v1/namespaces/default/configmaps';
const label = 'witness%3Dyes';
const objectsPerWriter = 3;
/** Writers that ask now this server, now that, beside one for each. */
const wanderers = 2;
/** A server that is paused is left for another. */
const answerMsMax = 10_000;
const pauseMs = 40;

interface WitnessedMap {
  readonly metadata: { readonly name: string; readonly resourceVersion: string };
  readonly data: { readonly turn: string };
}

interface WatchLog {
  readonly name: string;
  readonly begun: number;
  last: number;
  readonly reported: Set<number>;
  /** What a list told instead, where the server no longer knew the past: after the first, up to the second. */
  readonly listed: (readonly [number, number])[];
}

export class Witness {
  readonly #servers: readonly ApiServer[];
  readonly #random: Random;
  readonly #ending = new AbortController();
  readonly #watchEnding = new AbortController();
  /** By object, the newest turn that was acknowledged. */
  readonly #turns = new Map<string, number>();
  readonly #acknowledged: number[] = [];
  #newest = 0;
  readonly #problems: string[] = [];
  readonly #watches: WatchLog[] = [];
  readonly #served: number[];
  #refused = 0;
  #reads = 0;
  #work: readonly Promise<void>[] = [];
  #watching: readonly Promise<void>[] = [];

  constructor(servers: readonly ApiServer[], random: Random) {
    this.#servers = servers;
    this.#random = random;
    this.#served = servers.map(() => 0);
  }

  async begin(): Promise<void> {
    const writers = this.#servers.length + wanderers;
    const names = Array.from({ length: writers }, (_, writer) => objectsOf(writer)).flat();
    const [first] = this.#servers;
    for (const name of names) {
      const answer = await first!.send('POST', path, mapOf(name, 0));
      if (answer.status !== 201) throw new Error(answer.text);
      this.#acknowledge(name, answer, 0);
    }
    const start = this.#newest;
    this.#watching = [
      ...this.#servers.map((_, index) => this.#watch(`watch at ${index}`, start, () => index)),
      this.#watch('watch that wanders', start, (turn) => turn % this.#servers.length),
    ];
    this.#work = [
      ...Array.from({ length: writers }, (_, writer) => this.#write(objectsOf(writer), writer)),
      ...this.#servers.map((server) => this.#read(server)),
    ];
  }

  /** How many writes each server has acknowledged. */
  served(): readonly number[] {
    return [...this.#served];
  }

  counts(): Readonly<Record<string, number>> {
    return {
      acknowledged: this.#acknowledged.length,
      refused: this.#refused,
      reads: this.#reads,
      events: this.#watches.reduce((sum, { reported }) => sum + reported.size, 0),
      listedAnew: this.#watches.reduce((sum, { listed }) => sum + listed.length, 0),
    };
  }

  /** Resolves, when all that was acknowledged had time to be told, with what was wrong. */
  async end(): Promise<readonly string[]> {
    this.#ending.abort();
    await Promise.all(this.#work);
    for (let waits = 0; waits < 100 && this.#missing().length > 0; waits++) await pause(100);
    this.#watchEnding.abort();
    await Promise.all(this.#watching);
    await Promise.all(this.#servers.map((server) => this.#readAll(server)));
    return [...this.#problems, ...this.#missing()];
  }

  #acknowledge(name: string, { json }: Answer, turn: number): void {
    const version = Number(json.metadata.resourceVersion);
    this.#turns.set(name, turn);
    this.#acknowledged.push(version);
    this.#newest = Math.max(this.#newest, version);
  }

  async #write(names: readonly string[], writer: number): Promise<void> {
    while (!this.#ending.signal.aborted) {
      const name = names[Math.floor(this.#random.next() * names.length)]!;
      const index =
        writer < this.#servers.length ? writer : Math.floor(this.#random.next() * this.#servers.length);
      if (!(await this.#writeOnce(name, index).catch(() => false))) this.#refused++;
      await pause(pauseMs);
    }
  }

  async #writeOnce(name: string, index: number): Promise<boolean> {
    const floor = this.#turns.get(name)!;
    const read = await this.#send(index, 'GET', `${path}/${name}`);
    if (read.status !== 200) {
      if (read.status === 404) this.#problems.push(`${name} is gone at ${index}`);
      return false;
    }
    const { data, metadata } = read.json as WitnessedMap;
    this.#mustNotBeOlder(data, name, floor, `read at ${index}`);
    const turn = Number(data.turn) + 1;
    const written = await this.#send(index, 'PUT', `${path}/${name}`, mapOf(name, turn, metadata));
    if (written.status !== 200) return false;
    this.#acknowledge(name, written, turn);
    this.#served[index]!++;
    return true;
  }

  async #read(server: ApiServer): Promise<void> {
    while (!this.#ending.signal.aborted) {
      await this.#readAll(server).catch(() => undefined);
      await pause(pauseMs * 2);
    }
  }

  /** All at once, as of some moment after the question. */
  async #readAll(server: ApiServer): Promise<void> {
    const floors = new Map(this.#turns);
    const newest = this.#newest;
    const index = this.#servers.indexOf(server);
    const { status, json } = await this.#send(index, 'GET', `${path}?labelSelector=${label}`);
    if (status !== 200) return;
    this.#reads++;
    const maps = new Map((json.items as WitnessedMap[]).map((map) => [map.metadata.name, map]));
    for (const [name, floor] of floors) {
      const map = maps.get(name);
      if (map === undefined) this.#problems.push(`${name} is not in a list at ${index}`);
      else this.#mustNotBeOlder(map.data, name, floor, `list at ${index}`);
    }
    if (Number(json.metadata.resourceVersion) < newest)
      this.#problems.push(`a list at ${index} is of ${json.metadata.resourceVersion}, after ${newest}`);
  }

  #mustNotBeOlder({ turn }: WitnessedMap['data'], name: string, floor: number, where: string): void {
    if (Number(turn) < floor)
      this.#problems.push(`${where}: ${name} is at turn ${turn}, ${floor} was acknowledged`);
  }

  /** @param serverOf of the n-th time that it is begun */
  async #watch(name: string, start: number, serverOf: (turn: number) => number): Promise<void> {
    const log: WatchLog = { name, begun: start, last: start, reported: new Set(), listed: [] };
    this.#watches.push(log);
    const { signal } = this.#watchEnding;
    for (let turn = 0; !signal.aborted; turn++) {
      const index = serverOf(turn);
      const isExpired = await this.#follow(log, index, signal).catch(() => false);
      if (isExpired) await this.#listInstead(log, index).catch(() => undefined);
      if (!signal.aborted) await pause(200);
    }
  }

  /** Resolves when it ends, with whether the server no longer knows what was since. */
  async #follow(log: WatchLog, index: number, signal: AbortSignal): Promise<boolean> {
    let isExpired = false;
    const onEvent = ({ type, object }: WatchedEvent): void => {
      if (type === 'ERROR') return void (isExpired = (object as { code: number }).code === 410);
      const version = Number((object as WitnessedMap).metadata.resourceVersion);
      if (type === 'BOOKMARK') return void (log.last = Math.max(log.last, version));
      if (version <= log.last)
        this.#problems.push(`${log.name}: event ${version} at ${index} after ${log.last}`);
      log.last = version;
      log.reported.add(version);
    };
    const query = `watch=1&allowWatchBookmarks=true&labelSelector=${label}&resourceVersion=${log.last}`;
    const status = await this.#servers[index]!.follow(`${path}?${query}`, onEvent, signal, answerMsMax);
    return isExpired || status === 410;
  }

  async #listInstead(log: WatchLog, index: number): Promise<void> {
    const { status, json } = await this.#send(index, 'GET', `${path}?labelSelector=${label}`);
    if (status !== 200) return;
    const version = Number(json.metadata.resourceVersion);
    log.listed.push([log.last, version]);
    log.last = Math.max(log.last, version);
  }

  #missing(): readonly string[] {
    return this.#watches.flatMap(({ name, begun, reported, listed }) => {
      const isKnown = (version: number): boolean =>
        version <= begun ||
        reported.has(version) ||
        listed.some(([after, until]) => after < version && version <= until);
      const missing = this.#acknowledged.filter((version) => !isKnown(version));
      return missing.length === 0
        ? []
        : [`${name} was not told of ${missing.length}: ${missing.slice(0, 5).join(', ')}`];
    });
  }

  #send(index: number, method: string, to: string, body?: unknown): Promise<Answer> {
    return this.#servers[index]!.send(method, to, body, undefined, answerMsMax);
  }
}

const objectsOf = (writer: number): readonly string[] =>
  Array.from({ length: objectsPerWriter }, (_, index) => `witness-${writer}-${index}`);

const mapOf = (name: string, turn: number, metadata?: WitnessedMap['metadata']): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, labels: { witness: 'yes' }, resourceVersion: metadata?.resourceVersion },
  data: { turn: `${turn}` },
});

export const pause = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms));
