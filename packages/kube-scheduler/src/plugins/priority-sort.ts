import { plugin } from '../framework/plugin.ts';

/** Higher priority first, then first come, first served. */
export const prioritySort = plugin({
  name: 'PrioritySort',
  queueSort: (a, b) => b.info.priority - a.info.priority || a.queuedMs - b.queuedMs,
});
