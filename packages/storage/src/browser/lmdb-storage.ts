/** Replaces `engine/lmdb/lmdb-storage.ts`, since a page has no files to map. */

/** Called with `new`, like the class. */
export function LmdbStorage({ directory }: { readonly directory: string }): never {
  throw new Error(`${directory}: there is no LMDB in a browser; clusters are in memory`);
}
