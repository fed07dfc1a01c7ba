/** In place of `testing/saved-beginnings.ts`: a page makes its own. */
import type { Beginning } from '../testing/beginnings.ts';

export const savedBeginning = (): Promise<Beginning | undefined> => Promise.resolve(undefined);
