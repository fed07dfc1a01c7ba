import * as t from '@coxswain/schema';
import * as v1 from '../v1/service-cidr.ts';

export const ServiceCIDR = t.kindIn('networking/v1beta1', v1.ServiceCIDR, {
  shared: ['validate', 'validateStatus', 'columns'],
});
export interface ServiceCIDR extends t.Static<typeof ServiceCIDR> {}
