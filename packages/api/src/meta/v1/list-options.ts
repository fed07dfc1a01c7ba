import * as t from '@coxswain/schema';

export const ListOptions = t.kind('meta/v1.ListOptions', 'meta.k8s.io/v1', undefined, {
  labelSelector: t.optional(1, t.string),
  fieldSelector: t.optional(2, t.string),
  watch: t.optional(3, t.bool),
  allowWatchBookmarks: t.optional(9, t.bool),
  resourceVersion: t.optional(4, t.string),
  resourceVersionMatch: t.optional(10, t.named('v1.ResourceVersionMatch', t.string)),
  timeoutSeconds: t.pointer(5, t.int64),
  limit: t.optional(7, t.int64),
  continue: t.optional(8, t.string),
  sendInitialEvents: t.pointer(11, t.bool),
  shardSelector: t.optional(15, t.string, { gate: 'ShardedListAndWatch' }),
});
export interface ListOptions extends t.Static<typeof ListOptions> {}
