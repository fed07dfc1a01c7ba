import * as t from '@coxswain/schema';

export const TableOptions = t.kind('meta/v1.TableOptions', 'meta.k8s.io/v1', undefined, {
  includeObject: t.optional(1, t.named('v1.IncludeObjectPolicy', t.string)),
});
export interface TableOptions extends t.Static<typeof TableOptions> {}
