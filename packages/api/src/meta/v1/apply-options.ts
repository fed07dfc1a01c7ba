import { always, atomicList, bool, kind, optional, string } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';

export const ApplyOptions = kind('meta/v1.ApplyOptions', 'meta.k8s.io/v1', undefined, {
  dryRun: optional(1, atomicList(string)),
  force: always(2, bool),
  fieldManager: always(3, string),
});
export interface ApplyOptions extends Static<typeof ApplyOptions> {}
