/** Maps places in the running program to places in the sources. The mapping depends on the platform. */

import type { Work } from '@coxswain/apimachinery';

export interface SourcePlace {
  /** Relative to the root of the project. */
  readonly file: string;
  readonly line: number;
  readonly column?: number;
}

export interface Places {
  /** Returns the source place for a place in a loaded file. */
  source(url: string, line: number, column: number): SourcePlace;
  /** Returns the place at which a function is defined. */
  definition(work: Work): SourcePlace | undefined;
}
