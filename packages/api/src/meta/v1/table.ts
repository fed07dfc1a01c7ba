import * as t from '@coxswain/schema';

export const TableColumnDefinition = t.struct('meta/v1.TableColumnDefinition', {
  name: t.always(0, t.string),
  type: t.always(0, t.string),
  format: t.always(0, t.string),
  description: t.always(0, t.string),
  priority: t.always(0, t.int32),
});
export interface TableColumnDefinition extends t.Static<typeof TableColumnDefinition> {}

export const TableRowCondition = t.struct('meta/v1.TableRowCondition', {
  type: t.always(0, t.named('v1.RowConditionType', t.string)),
  status: t.always(0, t.named('v1.ConditionStatus', t.string)),
  reason: t.optional(0, t.string),
  message: t.optional(0, t.string),
});
export interface TableRowCondition extends t.Static<typeof TableRowCondition> {}

export const TableRow = t.struct('meta/v1.TableRow', {
  cells: t.always(0, t.atomicList(t.any)),
  conditions: t.optional(0, t.atomicList(TableRowCondition)),
  object: t.optional(0, t.rawExtension),
});
export interface TableRow extends t.Static<typeof TableRow> {}

export const Table = t.kind('meta/v1.Table', 'meta.k8s.io/v1', undefined, {
  metadata: t.optional(0, t.ListMeta, { go: 'ListMeta' }),
  columnDefinitions: t.always(0, t.atomicList(TableColumnDefinition), { keepEmpty: true }),
  rows: t.always(0, t.atomicList(TableRow), { keepEmpty: true }),
});
export interface Table extends t.Static<typeof Table> {}
