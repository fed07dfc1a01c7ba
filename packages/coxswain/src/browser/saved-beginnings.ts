/** Replaces `testing/saved-beginnings.ts`: a page computes its own. */
import type { Beginning } from '../testing/beginnings.ts';

export const savedBeginning = (): Promise<Beginning | undefined> => Promise.resolve(undefined);
