import * as t from '@coxswain/schema';
import * as v1beta2 from '../../apps/v1beta2/scale.ts';

export const Scale = t.kindIn('extensions/v1beta1', v1beta2.Scale);
export interface Scale extends t.Static<typeof Scale> {}
