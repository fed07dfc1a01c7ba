import * as t from '@coxswain/schema';
import * as v1 from '../v1/ip-address.ts';

export const IPAddress = t.kindIn('networking/v1beta1', v1.IPAddress, { shared: ['validate', 'columns'] });
export interface IPAddress extends t.Static<typeof IPAddress> {}
