import * as t from '@coxswain/schema';
import * as v1beta1 from '../../networking/v1beta1/ingress.ts';

export const Ingress = t.kindIn('extensions/v1beta1', v1beta1.Ingress);
export interface Ingress extends t.Static<typeof Ingress> {}
