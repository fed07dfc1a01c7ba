import * as t from '@coxswain/schema';
import { FieldSelectorAttributes } from '../../authorization/v1/field-selector-attributes.ts';
import { LabelSelectorAttributes } from '../../authorization/v1/label-selector-attributes.ts';

export const ResourceAttributes = t.struct('authorization/v1beta1.ResourceAttributes', {
  namespace: t.optional(1, t.string),
  verb: t.optional(2, t.string),
  group: t.optional(3, t.string),
  version: t.optional(4, t.string),
  resource: t.optional(5, t.string),
  subresource: t.optional(6, t.string),
  name: t.optional(7, t.string),
  fieldSelector: t.pointer(8, FieldSelectorAttributes),
  labelSelector: t.pointer(9, LabelSelectorAttributes),
});
export interface ResourceAttributes extends t.Static<typeof ResourceAttributes> {}
