import * as t from '@coxswain/schema';
import { ageColumn, column, nameColumn } from '../../meta/columns.ts';
import { validateIngressClass } from './ingress-class-validation.ts';
import { IngressClassSpec } from './ingress-class-spec.ts';

export const IngressClass = t.kind(
  'networking/v1.IngressClass',
  'networking.k8s.io/v1',
  { plural: 'ingressclasses', namespaced: false },
  {
    metadata: t.optional(1, t.ObjectMeta, { go: 'ObjectMeta' }),
    spec: t.optional(2, IngressClassSpec),
  },
  {
    validate: validateIngressClass,
    columns: [
      {
        ...nameColumn,
        cell: ({ metadata }) =>
          (metadata.name ?? '') + (metadata.annotations?.[defaultAnnotation] === 'true' ? ' (default)' : ''),
      },
      column('Controller', ({ spec }) => spec?.controller ?? ''),
      column('Parameters', ({ spec }) => {
        const parameters = spec?.parameters;
        if (parameters == null) return '<none>';
        const kind =
          parameters.apiGroup == null ? parameters.kind : `${parameters.kind}.${parameters.apiGroup}`;
        return `${kind}/${parameters.name}`;
      }),
      ageColumn,
    ],
  },
);
export interface IngressClass extends t.Static<typeof IngressClass> {}

const defaultAnnotation = 'ingressclass.kubernetes.io/is-default-class';
