import * as t from '@coxswain/schema';
import * as v1 from '../v1/non-resource-attributes.ts';

export const NonResourceAttributes = t.structIn('authorization/v1beta1', v1.NonResourceAttributes);
export interface NonResourceAttributes extends t.Static<typeof NonResourceAttributes> {}
