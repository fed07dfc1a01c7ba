import type { Column } from '@coxswain/schema';
import { ageColumn, column, nameColumn } from '../../meta/columns.ts';
import type { SpecObject } from '../../meta/kind-object.ts';
import type { IngressClassSpec } from './ingress-class-spec.ts';

type ClassObject = SpecObject<IngressClassSpec>;

export const ingressClassColumns: readonly Column<ClassObject>[] = [
  {
    ...nameColumn,
    cell: ({ metadata }) =>
      (metadata.name ?? '') + (metadata.annotations?.[defaultAnnotation] === 'true' ? ' (default)' : ''),
  },
  column('Controller', ({ spec }) => spec?.controller ?? ''),
  column('Parameters', ({ spec }) => {
    const parameters = spec?.parameters;
    if (parameters == null) return '<none>';
    const kind = parameters.apiGroup == null ? parameters.kind : `${parameters.kind}.${parameters.apiGroup}`;
    return `${kind}/${parameters.name}`;
  }),
  ageColumn,
];

const defaultAnnotation = 'ingressclass.kubernetes.io/is-default-class';
