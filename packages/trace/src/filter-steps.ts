/** Filters of a request call one another; views show them side by side. */

import type { Step } from './recording.ts';

/** Those of an embedding program are elsewhere, right before the first server. */
export const isFilterStep = (step: Step): boolean =>
  /\/filters\//.test(step.definition?.file ?? step.file) || (!isServer(step) && step.steps.some(isServer));

/** The handler that a filter calls is always its last step: another filter, one that was added later, or a server. */
export const nextOfFilter = (filter: Step): Step | undefined =>
  filter.steps.find(isFilterStep) ??
  filter.steps.findLast((step) => isServer(step) || step.steps.some(isServer));

const isServer = ({ name }: Step): boolean => /^(?:server|handler)/.test(name);
