import * as t from '@coxswain/schema';
import { FieldSelectorAttributes } from '../v1/field-selector-attributes.ts';
import { LabelSelectorAttributes } from '../v1/label-selector-attributes.ts';
import * as v1 from '../v1/resource-attributes.ts';

export const ResourceAttributes = t.structIn('authorization/v1beta1', v1.ResourceAttributes, {
  fields: {
    fieldSelector: t.pointer(8, FieldSelectorAttributes),
    labelSelector: t.pointer(9, LabelSelectorAttributes),
  },
});
export interface ResourceAttributes extends t.Static<typeof ResourceAttributes> {}
