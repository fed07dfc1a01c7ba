/** What the kernel has under our name already, from an earlier process or another program. */
import { tableName } from './table-options.ts';

export interface KernelTable {
  readonly chains: readonly string[];
  readonly maps: readonly string[];
  /** With the seconds after which they forget a client. */
  readonly affinitySets: ReadonlyMap<string, number>;
}

export const emptyTable: KernelTable = { chains: [], maps: [], affinitySets: new Map() };

interface Listed {
  readonly table?: string;
  readonly name?: string;
  readonly timeout?: number;
}

/** From what `nft -j list chains`, `sets` and `maps` of one family tell. @throws SyntaxError when it is no JSON */
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
