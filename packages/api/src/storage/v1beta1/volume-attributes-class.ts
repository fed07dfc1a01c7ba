import * as t from '@coxswain/schema';
import * as v1 from '../v1/volume-attributes-class.ts';

export const VolumeAttributesClass = t.kindIn('storage/v1beta1', v1.VolumeAttributesClass, {
  shared: ['validate', 'columns'],
});
export interface VolumeAttributesClass extends t.Static<typeof VolumeAttributesClass> {}
