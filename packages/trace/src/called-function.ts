/** A function of an instrumented module, as the sources have it. */
export interface CalledFunction {
  readonly name: string;
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** The names that its parameters bind. */
  readonly parameters: readonly string[];
}
