import {
  always,
  any,
  atomicList,
  int32,
  kind,
  ListMeta,
  optional,
  rawExtension,
  string,
  struct,
  named,
} from '@coxswain/schema';
import type { Static } from '@coxswain/schema';

export const TableColumnDefinition = struct('meta/v1.TableColumnDefinition', {
  name: always(0, string),
  type: always(0, string),
  format: always(0, string),
  description: always(0, string),
  priority: always(0, int32),
});
export interface TableColumnDefinition extends Static<typeof TableColumnDefinition> {}

export const TableRowCondition = struct('meta/v1.TableRowCondition', {
  type: always(0, named('v1.RowConditionType', string)),
  status: always(0, named('v1.ConditionStatus', string)),
  reason: optional(0, string),
  message: optional(0, string),
});
export interface TableRowCondition extends Static<typeof TableRowCondition> {}

export const TableRow = struct('meta/v1.TableRow', {
  cells: always(0, atomicList(any)),
  conditions: optional(0, atomicList(TableRowCondition)),
  object: optional(0, rawExtension),
});
export interface TableRow extends Static<typeof TableRow> {}

export const Table = kind('meta/v1.Table', 'meta.k8s.io/v1', undefined, {
  metadata: optional(0, ListMeta, { go: 'ListMeta' }),
  columnDefinitions: always(0, atomicList(TableColumnDefinition), { keepEmpty: true }),
  rows: always(0, atomicList(TableRow), { keepEmpty: true }),
});
export interface Table extends Static<typeof Table> {}
