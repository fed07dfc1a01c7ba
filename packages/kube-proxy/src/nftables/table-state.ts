/** The desired table of one address family, and the transactions that bring the kernel's table into that state. */
import type { ServiceRule } from '../model/service-rule.ts';
import { baseCommands, containers, type Container } from './base-chains.ts';
import { isServiceChain } from './chain-name.ts';
import { EndpointPools, pageNamePrefix } from './endpoint-pools.ts';
import type { KernelTable } from './kernel-table.ts';
import { serviceObjects, type Element } from './service-objects.ts';
import { SharedElements } from './shared-elements.ts';
import { tableOf, type TableOptions } from './table-options.ts';

/** Of one service. */
interface Loaded {
  readonly chains: ReadonlyMap<string, readonly string[]>;
  readonly affinitySets: ReadonlyMap<string, string>;
  readonly elements: readonly Element[];
}

export interface Transaction {
  /** Input of `nft -f`; empty if there is nothing to do. */
  readonly text: string;
  /** Chains filled by it. */
  readonly liveChains: readonly string[];
  /**
   * Chains that were emptied but cannot be deleted yet: kernels before 6.2 notice late that no map refers to them
   * anymore.
   */
  readonly staleChains: readonly string[];
}

const nothing: Loaded = { chains: new Map(), affinitySets: new Map(), elements: [] };

export class TableState {
  #options: TableOptions;
  readonly #table: string;
  readonly #services = new Map<string, Loaded>();
  readonly #elements: Readonly<Record<Container, SharedElements>>;
  readonly #pools: EndpointPools;
  readonly #written = new Map<string, readonly string[]>();
  readonly #stale = new Set<string>();
  readonly #newSets = new Map<string, string>();
  readonly #oldSets = new Set<string>();

  constructor(options: TableOptions) {
    this.#options = options;
    this.#table = tableOf(options);
    this.#pools = new EndpointPools(options);
    this.#elements = Object.fromEntries(
      Object.keys(containers).map((name) => [name, new SharedElements(name as Container)]),
    ) as Record<Container, SharedElements>;
  }

  /** Takes effect in the next complete transaction. */
  setOptions(options: TableOptions): void {
    this.#options = options;
  }

  /** Rules of other families are skipped; undefined if there are none anymore. */
  setService(key: string, rules: readonly ServiceRule[] | undefined): void {
    const own = rules?.filter(({ family }) => family === this.#options.family) ?? [];
    const before = this.#services.get(key) ?? nothing;
    const after = own.length === 0 ? nothing : this.#objectsOf(own);
    if (after === nothing) this.#services.delete(key);
    else this.#services.set(key, after);
    this.#changeChains(before, after);
    this.#changeSets(before, after);
    for (const { container, key: element } of before.elements) this.#elements[container].remove(key, element);
    for (const element of after.elements) this.#elements[element.container].add(key, element);
  }

  /** The changes since the last transaction. */
  takeChanges(): Transaction {
    const table = this.#table;
    const pools = this.#pools.takeChanges();
    const text = lines([
      pools.newMaps,
      [...this.#written.keys()].flatMap((name) => emptied(table, name)),
      [...this.#stale].map((name) => `flush chain ${table} ${name}`),
      [...this.#oldSets].map((name) => `delete set ${table} ${name}`),
      [...this.#newSets].map(([name, declaration]) => `add set ${table} ${name} ${declaration}`),
      pools.deletedElements,
      pools.addedElements,
      [...this.#written].flatMap(([name, rules]) => filled(table, name, rules)),
      Object.values(this.#elements).flatMap((elements) => elements.takeChanges(table)),
      pools.oldMaps,
    ]);
    return { text, ...this.#forgetChanges() };
  }

  /** Everything, for a table in any state. Clients keep the endpoints to which they are bound. */
  takeEverything(kernel: KernelTable): Transaction {
    const table = this.#table;
    const pools = this.#pools.everything();
    const services = [...this.#services.values()];
    const chains = services.flatMap((service) => [...service.chains]);
    const sets = new Map(services.flatMap(({ affinitySets }) => [...affinitySets]));
    const wanted = new Set(chains.map(([name]) => name));
    const stale = kernel.chains.filter((name) => isServiceChain(name) && !wanted.has(name));
    const there = new Set(kernel.chains);
    const pages = new Set(this.#pools.pageNames);
    // The timeout of a set cannot be changed; a set with the same timeout is kept.
    const oldSets = [...kernel.affinitySets].filter(
      ([name, timeoutSeconds]) => !sets.get(name)?.includes(`timeout ${timeoutSeconds}s`),
    );
    const text = lines([
      baseCommands(this.#options),
      chains.map(([name]) => `add chain ${table} ${name}`),
      chains.filter(([name]) => there.has(name)).map(([name]) => `flush chain ${table} ${name}`),
      stale.map((name) => `flush chain ${table} ${name}`),
      kernel.maps
        .filter((name) => name.startsWith(pageNamePrefix) && !pages.has(name))
        .map((name) => `delete map ${table} ${name}`),
      oldSets.map(([name]) => `delete set ${table} ${name}`),
      pools.maps,
      pools.elements,
      [...sets].map(([name, declaration]) => `add set ${table} ${name} ${declaration}`),
      chains.flatMap(([name, rules]) => filled(table, name, rules)),
      Object.values(this.#elements).flatMap((elements) => elements.everything(table)),
    ]);
    this.#forgetChanges();
    return { text, liveChains: [...wanted], staleChains: stale };
  }

  #objectsOf(rules: readonly ServiceRule[]): Loaded {
    const chains = new Map<string, readonly string[]>();
    const affinitySets = new Map<string, string>();
    const elements: Element[] = [];
    for (const rule of rules) {
      const objects = serviceObjects(rule, this.#options);
      for (const { name, rules: own, pool } of objects.chains)
        chains.set(name, pool ? [...own, this.#pools.assign(name, pool.protocol, pool.endpoints)] : own);
      for (const [name, declaration] of objects.affinitySets) affinitySets.set(name, declaration);
      elements.push(...objects.elements);
    }
    return { chains, affinitySets, elements };
  }

  #changeChains(before: Loaded, after: Loaded): void {
    // A set to be replaced must not be in use, so the rules that refer to it are rewritten.
    const isKept = hasSameSets(before, after);
    for (const [name, rules] of after.chains) {
      const had = before.chains.get(name);
      if (isKept && had !== undefined && isSame(had, rules)) continue;
      this.#written.set(name, rules);
      this.#stale.delete(name);
    }
    for (const name of before.chains.keys()) {
      if (after.chains.has(name)) {
        if (after.affinitySets.size > 0) this.#pools.release(name);
        continue;
      }
      this.#pools.release(name);
      this.#written.delete(name);
      this.#stale.add(name);
    }
  }

  #changeSets(before: Loaded, after: Loaded): void {
    for (const [name, declaration] of before.affinitySets) {
      if (after.affinitySets.get(name) === declaration) continue;
      // A chain that this transaction would have added does not exist.
      if (!this.#newSets.delete(name) || this.#oldSets.has(name)) this.#oldSets.add(name);
    }
    for (const [name, declaration] of after.affinitySets)
      if (before.affinitySets.get(name) !== declaration) this.#newSets.set(name, declaration);
  }

  #forgetChanges(): Omit<Transaction, 'text'> {
    const chains = { liveChains: [...this.#written.keys()], staleChains: [...this.#stale] };
    this.#written.clear();
    this.#stale.clear();
    this.#newSets.clear();
    this.#oldSets.clear();
    return chains;
  }
}

const emptied = (table: string, chain: string): string[] => [
  `add chain ${table} ${chain}`,
  `flush chain ${table} ${chain}`,
];

const filled = (table: string, chain: string, rules: readonly string[]): string[] =>
  rules.map((rule) => `add rule ${table} ${chain} ${rule}`);

const hasSameSets = ({ affinitySets: before }: Loaded, { affinitySets: after }: Loaded): boolean =>
  before.size === 0 || [...before].every(([name, text]) => (after.get(name) ?? text) === text);

const isSame = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((rule, index) => rule === b[index]);

const lines = (parts: readonly (readonly string[])[]): string =>
  parts
    .filter((part) => part.length > 0)
    .map((part) => `${part.join('\n')}\n`)
    .join('');
