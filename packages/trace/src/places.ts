/** From places in the running program to places in the sources. How that is done depends on the platform. */

import type { Work } from '@coxswain/apimachinery';

export interface SourcePlace {
  /** Relative to the project. */
  readonly file: string;
  readonly line: number;
  readonly column?: number;
}

export interface Places {
  /** The source behind a place in a file that was loaded. */
  source(url: string, line: number, column: number): SourcePlace;
  /** Where a function stands. */
  definition(work: Work): SourcePlace | undefined;
}
