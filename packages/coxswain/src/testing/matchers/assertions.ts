/** The matchers as functions that throw, for node:test and other runners. */

import { matchers, type MatcherResult } from './matchers.ts';

type Rest<F> = F extends (...args: infer Args) => unknown ? Args : never;

const passed = ({ pass, message }: MatcherResult): void => {
  if (!pass) throw new Error(message());
};

export const assertEventuallyHas = async (...args: Rest<typeof matchers.toEventuallyHave>): Promise<void> =>
  passed(await matchers.toEventuallyHave(...args));

export const assertEventuallyLacks = async (...args: Rest<typeof matchers.toEventuallyLack>): Promise<void> =>
  passed(await matchers.toEventuallyLack(...args));

export const assertRequested = (...args: Rest<typeof matchers.toHaveRequested>): void =>
  passed(matchers.toHaveRequested(...args));
