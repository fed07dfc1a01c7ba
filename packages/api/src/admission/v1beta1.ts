import * as t from '@coxswain/schema';
import * as v1 from './v1/admission-review.ts';

export const AdmissionReview = t.kindIn('admission/v1beta1', v1.AdmissionReview);
export interface AdmissionReview extends t.Static<typeof AdmissionReview> {}
