import * as t from '@coxswain/schema';
import * as v1 from '../v1/eviction.ts';

export const Eviction = t.kindIn('policy/v1beta1', v1.Eviction);
export interface Eviction extends t.Static<typeof Eviction> {}
