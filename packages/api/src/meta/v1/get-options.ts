import { kind, optional, string } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';

export const GetOptions = kind('meta/v1.GetOptions', 'meta.k8s.io/v1', undefined, {
  resourceVersion: optional(1, string),
});
export interface GetOptions extends Static<typeof GetOptions> {}
