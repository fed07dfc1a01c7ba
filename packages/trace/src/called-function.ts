/** A function of an instrumented module, as it appears in the sources. */
export interface CalledFunction {
  readonly name: string;
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** The names bound by its parameters. */
  readonly parameters: readonly string[];
}
