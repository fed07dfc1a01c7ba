/** The contents of our table in the kernel, left by an earlier process or another program. */
import { tableName } from './table-options.ts';

export interface KernelTable {
  readonly chains: readonly string[];
  readonly maps: readonly string[];
  /** Each with the number of seconds after which it forgets a client. */
  readonly affinitySets: ReadonlyMap<string, number>;
}

export const emptyTable: KernelTable = { chains: [], maps: [], affinitySets: new Map() };

interface Listed {
  readonly table?: string;
  readonly name?: string;
  readonly timeout?: number;
}

/**
 * Parses the output of `nft -j list chains`, `sets` and `maps` for one family. @throws SyntaxError if it is not JSON
 */
export function kernelTable(listings: readonly string[]): KernelTable {
  const found = { chain: [] as Listed[], map: [] as Listed[], set: [] as Listed[] };
  for (const listing of listings) {
    const { nftables = [] } = JSON.parse(listing) as { nftables?: readonly Record<string, Listed>[] };
    for (const one of nftables)
      for (const kind of ['chain', 'map', 'set'] as const)
        if (one[kind]?.table === tableName) found[kind].push(one[kind]);
  }
  return {
    chains: found.chain.map(({ name = '' }) => name),
    maps: found.map.map(({ name = '' }) => name),
    affinitySets: new Map(
      found.set
        .filter(({ name = '' }) => name.startsWith('affinity-'))
        .map(({ name = '', timeout = 0 }) => [name, timeout]),
    ),
  };
}
