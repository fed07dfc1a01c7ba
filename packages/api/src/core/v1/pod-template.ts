import * as t from '@coxswain/schema';
import { FieldPath, type FieldError } from '@coxswain/apimachinery';
import { Errors, pathOf } from '../../meta/checks.ts';
import type { MetaObject } from '../../meta/kind-object.ts';
import { subdomainName, validateMeta } from '../../meta/object-meta-validation.ts';
import { validatePodTemplate } from './pod/pod-template-validation.ts';
import { podOptions } from './pod/pod-validation-options.ts';
import { PodTemplateSpec } from './pod-template-spec.ts';
import { defaultPodTemplate } from './pod/pod-defaults.ts';
import { nameColumn, containerColumns, column, formatLabels } from '../../meta/columns.ts';
import { templateWarnings } from './pod/pod-warnings.ts';

export const PodTemplate = t.kind(
  'core/v1.PodTemplate',
  'v1',
  { plural: 'podtemplates', namespaced: true },
  {
    metadata: t.optional(1, t.ObjectMeta, { go: 'ObjectMeta' }),
    template: t.optional(2, PodTemplateSpec),
  },
  {
    defaults: [({ template }) => defaultPodTemplate(template)],
    validate: validateTemplate,
    warnings: ({ metadata, template }, old) =>
      old?.metadata.generation === metadata.generation
        ? []
        : templateWarnings(template, FieldPath.of('template')),
    columns: [
      nameColumn,
      ...containerColumns(({ template }: { template: PodTemplateSpec }) => template?.spec?.containers).map(
        (shown) => ({ ...shown, priority: 0 }),
      ),
      column('Pod Labels', ({ template }) => formatLabels(template?.metadata?.labels)),
    ],
  },
);
export interface PodTemplate extends t.Static<typeof PodTemplate> {}

type TemplateObject = MetaObject & { template: PodTemplateSpec };

function validateTemplate(
  object: TemplateObject,
  old: TemplateObject | undefined,
  context: t.ValidationContext,
): FieldError[] {
  const errors = new Errors();
  validateMeta(object.metadata, old?.metadata, { namespaced: true, name: subdomainName }, errors);
  validatePodTemplate(object.template, pathOf('template'), podOptions(false, context, old?.template), errors);
  return errors;
}
