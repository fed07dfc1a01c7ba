/** Filters of a request call one another; views show them side by side. */

import type { Step } from './recording.ts';

export const isFilterStep = ({ file, definition }: Step): boolean =>
  /\/filters\//.test(definition?.file ?? file);

/** The handler that a filter calls is always its last step: another filter, one that was added later, or a server. */
export const nextOfFilter = (filter: Step): Step | undefined =>
  filter.steps.find(isFilterStep) ??
  filter.steps.findLast((step) => isServer(step) || step.steps.some(isServer));

const isServer = ({ name }: Step): boolean => /^(?:server|handler)/.test(name);
