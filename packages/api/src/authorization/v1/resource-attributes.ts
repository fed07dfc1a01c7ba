import { optional, pointer, string, struct } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';
import { FieldSelectorAttributes } from './field-selector-attributes.ts';
import { LabelSelectorAttributes } from './label-selector-attributes.ts';

export const ResourceAttributes = struct('authorization/v1.ResourceAttributes', {
  namespace: optional(1, string),
  verb: optional(2, string),
  group: optional(3, string),
  version: optional(4, string),
  resource: optional(5, string),
  subresource: optional(6, string),
  name: optional(7, string),
  fieldSelector: pointer(8, FieldSelectorAttributes),
  labelSelector: pointer(9, LabelSelectorAttributes),
});
export interface ResourceAttributes extends Static<typeof ResourceAttributes> {}
