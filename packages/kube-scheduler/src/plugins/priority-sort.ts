import { plugin } from '../framework/plugin.ts';

/** Sorts by priority, then by time in the queue. */
export const prioritySort = plugin({
  name: 'PrioritySort',
  queueSort: (a, b) => b.info.priority - a.info.priority || a.queuedMs - b.queuedMs,
});
