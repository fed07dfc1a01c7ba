import { kind, optional, string } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';

export const TableOptions = kind('meta/v1.TableOptions', 'meta.k8s.io/v1', undefined, {
  includeObject: optional(1, string),
});
export interface TableOptions extends Static<typeof TableOptions> {}
