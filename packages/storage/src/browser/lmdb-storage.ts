/** In place of `engine/lmdb/lmdb-storage.ts`: a page has no files to map. */

/** Called with `new`, as the class is. */
export function LmdbStorage({ directory }: { readonly directory: string }): never {
  throw new Error(`${directory}: there is no LMDB in a browser; clusters are in memory`);
}
