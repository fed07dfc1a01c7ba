import { kind, optional, string, named } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';

export const TableOptions = kind('meta/v1.TableOptions', 'meta.k8s.io/v1', undefined, {
  includeObject: optional(1, named('v1.IncludeObjectPolicy', string)),
});
export interface TableOptions extends Static<typeof TableOptions> {}
