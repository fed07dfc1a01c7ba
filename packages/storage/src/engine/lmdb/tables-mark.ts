/** LMDB's newest meta page, after a transaction. */
export interface TablesMark {
  /** 0: not known. */
  readonly transaction: number;
  readonly checksum: number;
}
