/** What `npm run walks` has measured. */

export interface WalkResults {
  readonly walks: readonly WalkResult[];
}

export interface WalkResult {
  readonly name: string;
  readonly date: string;
  readonly commit: string;
  readonly machine: string;
  /** Of all packages, as they came over the network. */
  readonly downloadedBytes: number;
  readonly installSeconds: number;
  /** Of the dependencies, where the language compiles them, over all processors. */
  readonly compileProcessorSeconds?: number;
  /** From the start of the runner to its end. */
  readonly assertionSeconds: number;
}
