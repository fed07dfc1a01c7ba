import { bool, int64, kind, optional, pointer, string, named } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';

export const ListOptions = kind('meta/v1.ListOptions', 'meta.k8s.io/v1', undefined, {
  labelSelector: optional(1, string),
  fieldSelector: optional(2, string),
  watch: optional(3, bool),
  allowWatchBookmarks: optional(9, bool),
  resourceVersion: optional(4, string),
  resourceVersionMatch: optional(10, named('v1.ResourceVersionMatch', string)),
  timeoutSeconds: pointer(5, int64),
  limit: optional(7, int64),
  continue: optional(8, string),
  sendInitialEvents: pointer(11, bool),
  shardSelector: optional(15, string, { gate: 'ShardedListAndWatch' }),
});
export interface ListOptions extends Static<typeof ListOptions> {}
