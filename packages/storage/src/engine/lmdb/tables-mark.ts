/** LMDB's newest meta page, after a transaction. */
export interface TablesMark {
  /** 0: unknown. */
  readonly transaction: number;
  readonly checksum: number;
}
