import * as t from '@coxswain/schema';
import * as v1 from '../v1/conversion-review.ts';

export const ConversionReview = t.kindIn('apiextensions/v1beta1', v1.ConversionReview);
export interface ConversionReview extends t.Static<typeof ConversionReview> {}
