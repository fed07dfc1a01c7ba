/** Tables of admission policies and their bindings, in every version. */

import type { Column } from '@coxswain/schema';
import { ageColumn, column, nameColumn } from '../../meta/columns.ts';
import type { MetaObject } from '../../meta/kind-object.ts';
import type { LabelSelector } from '../../meta/v1/label-selector.ts';
import type { ParamKind } from './param-kind.ts';
import type { ParamRef } from './param-ref.ts';

interface PolicySpec {
  paramKind?: ParamKind;
}

const paramKindColumn = column('ParamKind', ({ spec }: { spec: PolicySpec }) =>
  spec?.paramKind == null ? '<unset>' : `${spec.paramKind.apiVersion ?? ''}/${spec.paramKind.kind ?? ''}`,
);

export const validatingPolicyColumns: readonly Column<
  MetaObject & { spec: PolicySpec & { validations?: unknown[] } }
>[] = [
  nameColumn,
  column('Validations', ({ spec }) => (spec?.validations ?? []).length, 'integer'),
  paramKindColumn,
  ageColumn,
];

export const mutatingPolicyColumns: readonly Column<
  MetaObject & { spec: PolicySpec & { mutations?: unknown[] } }
>[] = [
  nameColumn,
  column('Mutations', ({ spec }) => (spec?.mutations ?? []).length, 'integer'),
  paramKindColumn,
  ageColumn,
];

export const policyBindingColumns: readonly Column<
  MetaObject & { spec: { policyName?: string; paramRef?: ParamRef } }
>[] = [
  nameColumn,
  column('PolicyName', ({ spec }) => spec?.policyName ?? ''),
  column('ParamRef', ({ spec }) => formatParamRef(spec?.paramRef)),
  ageColumn,
];

function formatParamRef(ref: ParamRef | undefined): string {
  if (ref?.name) return `${ref.namespace || '*'}/${ref.name}`;
  return ref?.selector == null ? '<unset>' : goSelector(ref.selector);
}

/** As Go's generated String method formats it. */
function goSelector({ matchLabels, matchExpressions }: LabelSelector): string {
  const labels = Object.keys(matchLabels ?? {})
    .sort()
    .map((key) => `${key}: ${matchLabels![key]},`)
    .join('');
  const expressions = (matchExpressions ?? [])
    .map(
      ({ key, operator, values }) =>
        `LabelSelectorRequirement{Key:${key},Operator:${operator},Values:[${(values ?? []).join(' ')}],},`,
    )
    .join('');
  return `&LabelSelector{MatchLabels:map[string]string{${labels}},MatchExpressions:[]LabelSelectorRequirement{${expressions}},}`;
}
