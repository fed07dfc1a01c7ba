import * as t from '@coxswain/schema';
import * as v1beta2 from '../v1beta2/controller-revision.ts';

export const ControllerRevision = t.kindIn('apps/v1beta1', v1beta2.ControllerRevision, {
  shared: ['columns'],
});
export interface ControllerRevision extends t.Static<typeof ControllerRevision> {}
