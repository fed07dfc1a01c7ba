import * as t from '@coxswain/schema';
import * as v1beta1 from './v1beta1.ts';

export const SelfSubjectReview = t.kindIn('authentication/v1alpha1', v1beta1.SelfSubjectReview);
export interface SelfSubjectReview extends t.Static<typeof SelfSubjectReview> {}
