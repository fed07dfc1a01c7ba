import * as t from '@coxswain/schema';
import * as v1beta1 from './v1beta1.ts';

export const LeaseCandidate = t.kindIn('coordination/v1alpha2', v1beta1.LeaseCandidate, {
  shared: ['validate', 'columns'],
});
export interface LeaseCandidate extends t.Static<typeof LeaseCandidate> {}
