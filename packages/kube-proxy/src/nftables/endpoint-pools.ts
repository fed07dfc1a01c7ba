/**
 * Endpoints of all services share a few maps, and the rule of a service draws a random number within its section of
 * one: `numgen random mod 3 offset 16 map @service-endpoints-tcp-0`. With one map per service, as upstream has it, the
 * kernel searches all maps for each new one: 12 s for 10,000 services on a machine on which this takes one. A single
 * map would cost as much, since adding a rule walks the whole map that it uses.
 */
import type { EndpointAddress, Protocol } from '../model/service-rule.ts';
import { ipWord, tableOf, type TableOptions } from './table-options.ts';

/** The number of slots in one map. */
const pageLength = 512;

interface Page {
  readonly name: string;
  readonly protocol: Protocol;
  /** Slots that were allocated once: in use or free again. */
  used: number;
  poolCount: number;
}

interface Pool {
  readonly page: Page;
  readonly offset: number;
  readonly capacity: number;
  /** `10.0.0.1 . 80`, by slot. */
  readonly slots: string[];
}

/** Commands of a transaction, in the order in which they must be sent. */
export interface PoolChanges {
  readonly newMaps: string[];
  readonly deletedElements: string[];
  readonly addedElements: string[];
  readonly oldMaps: string[];
}

export const pageNamePrefix = 'service-endpoints-';

const noChanges = (): PoolChanges => ({ newMaps: [], deletedElements: [], addedElements: [], oldMaps: [] });

export class EndpointPools {
  readonly #options: TableOptions;
  readonly #pools = new Map<string, Pool>();
  readonly #pages = new Set<Page>();
  /** Freed sections, by protocol and size. */
  readonly #free = new Map<string, { readonly page: Page; readonly offset: number }[]>();
  readonly #open = new Map<Protocol, Page>();
  #pageCount = 0;
  #changes = noChanges();
  /** Nothing can be compared before the first complete write. */
  #isLoaded = false;

  constructor(options: TableOptions) {
    this.#options = options;
  }

  /** The rule that spreads packets over the endpoints; replaces earlier rules of the chain. */
  assign(chain: string, protocol: Protocol, endpoints: readonly EndpointAddress[]): string {
    const l4 = `meta l4proto ${protocol.toLowerCase()}`;
    const [only] = endpoints;
    if (endpoints.length === 1 && only !== undefined) {
      this.release(chain);
      return `${l4} dnat to ${only.ip.includes(':') ? `[${only.ip}]` : only.ip}:${only.port}`;
    }
    const known = this.#pools.get(chain);
    let pool = known;
    if (pool === undefined || pool.capacity < endpoints.length) {
      if (known !== undefined) this.release(chain);
      pool = this.#newPool(protocol, endpoints.length);
      this.#pools.set(chain, pool);
    }
    this.#fill(pool, endpoints);
    const { page, offset, slots } = pool;
    const draw = `numgen random mod ${slots.length} offset ${offset}`;
    return `${l4} dnat ${ipWord(this.#options)} addr . port to ${draw} map @${page.name}`;
  }

  release(chain: string): void {
    const pool = this.#pools.get(chain);
    if (pool === undefined) return;
    this.#pools.delete(chain);
    const { page, offset, capacity, slots } = pool;
    if (--page.poolCount === 0) {
      this.#removePage(page);
      return;
    }
    slots.forEach((_, place) => this.#delete(page, offset + place));
    const key = `${page.protocol} ${capacity}`;
    const free = this.#free.get(key);
    if (free === undefined) this.#free.set(key, [{ page, offset }]);
    else free.push({ page, offset });
  }

  takeChanges(): PoolChanges {
    const changes = this.#changes;
    this.#changes = noChanges();
    return changes;
  }

  get pageNames(): readonly string[] {
    return [...this.#pages].map(({ name }) => name);
  }

  /** All maps and their elements, for a table in an unknown state; existing maps with these names are emptied. */
  everything(): { readonly maps: string[]; readonly elements: string[] } {
    this.takeChanges();
    this.#isLoaded = true;
    const table = tableOf(this.#options);
    const elements = new Map<string, string[]>();
    for (const { page, offset, slots } of this.#pools.values()) {
      const list = elements.get(page.name) ?? [];
      slots.forEach((slot, place) => list.push(`${offset + place} : ${slot}`));
      elements.set(page.name, list);
    }
    return {
      maps: [...this.#pages].flatMap((page) => [this.#declaration(page), `flush map ${table} ${page.name}`]),
      elements: [...elements].map(([name, list]) => `add element ${table} ${name} { ${list.join(' , ')} }`),
    };
  }

  #newPool(protocol: Protocol, count: number): Pool {
    let capacity = 2;
    while (capacity < count) capacity *= 2;
    const place = this.#free.get(`${protocol} ${capacity}`)?.pop() ?? this.#newPlace(protocol, capacity);
    place.page.poolCount++;
    return { ...place, capacity, slots: [] };
  }

  #newPlace(protocol: Protocol, capacity: number): { page: Page; offset: number } {
    let page = this.#open.get(protocol);
    if (page === undefined || page.used + capacity > pageLength) {
      const name = `${pageNamePrefix}${protocol.toLowerCase()}-${this.#pageCount++}`;
      page = { name, protocol, used: 0, poolCount: 0 };
      this.#pages.add(page);
      this.#open.set(protocol, page);
      this.#changes.newMaps.push(this.#declaration(page));
    }
    const offset = page.used;
    page.used += capacity;
    return { page, offset };
  }

  /** Endpoints that remain keep their slot. */
  #fill({ page, offset, slots }: Pool, endpoints: readonly EndpointAddress[]): void {
    const wanted = new Set(endpoints.map(({ ip, port }) => `${ip} . ${port}`));
    const length = wanted.size;
    const gaps: number[] = [];
    for (let place = 0; place < length; place++) {
      const slot = slots[place];
      if (slot === undefined || !wanted.delete(slot)) gaps.push(place);
    }
    let next = 0;
    for (const slot of wanted) {
      const place = gaps[next++]!;
      if (slots[place] !== undefined) this.#delete(page, offset + place);
      slots[place] = slot;
      if (!this.#isLoaded) continue;
      this.#changes.addedElements.push(
        `add element ${tableOf(this.#options)} ${page.name} { ${offset + place} : ${slot} }`,
      );
    }
    for (let place = length; place < slots.length; place++) this.#delete(page, offset + place);
    slots.length = length;
  }

  #delete(page: Page, place: number): void {
    this.#changes.deletedElements.push(`delete element ${tableOf(this.#options)} ${page.name} { ${place} }`);
  }

  #removePage(page: Page): void {
    this.#pages.delete(page);
    if (this.#open.get(page.protocol) === page) this.#open.delete(page.protocol);
    for (const [key, places] of this.#free)
      this.#free.set(
        key,
        places.filter((place) => place.page !== page),
      );
    const { newMaps, deletedElements, addedElements, oldMaps } = this.#changes;
    const table = tableOf(this.#options);
    const isOfPage = (command: string) => command.includes(`${table} ${page.name} {`);
    for (const list of [deletedElements, addedElements]) keepOnly(list, (command) => !isOfPage(command));
    const before = newMaps.length;
    keepOnly(newMaps, (command) => !isOfPage(command));
    // A map that was never loaded need not be deleted.
    if (newMaps.length === before) oldMaps.push(`delete map ${table} ${page.name}`);
  }

  /** The type of the number has no name in nft; it is given by an example. */
  #declaration({ name, protocol }: Page): string {
    const value = `${ipWord(this.#options)} daddr . ${protocol.toLowerCase()} dport`;
    return `add map ${tableOf(this.#options)} ${name} { typeof numgen random mod 1 : ${value} ; }`;
  }
}

function keepOnly(list: string[], isKept: (command: string) => boolean): void {
  const kept = list.filter(isKept);
  if (kept.length === list.length) return;
  list.length = 0;
  list.push(...kept);
}
