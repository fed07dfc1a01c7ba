import * as t from '@coxswain/schema';

export const ApplyOptions = t.kind('meta/v1.ApplyOptions', 'meta.k8s.io/v1', undefined, {
  dryRun: t.optional(1, t.atomicList(t.string)),
  force: t.always(2, t.bool),
  fieldManager: t.always(3, t.string),
});
export interface ApplyOptions extends t.Static<typeof ApplyOptions> {}
