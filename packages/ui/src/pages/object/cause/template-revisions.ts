/** The pod templates of a workload, in the objects that record them. */

import type { KubeObject } from '@coxswain/apimachinery';

interface Template {
  readonly metadata?: { readonly labels?: Readonly<Record<string, string>> };
}

interface Templated extends KubeObject {
  readonly spec?: { readonly template?: Template };
}

interface TemplatePatch extends KubeObject {
  readonly revision?: number;
  readonly data?: { readonly spec?: { readonly template?: Template & { readonly $patch?: string } } };
}

interface Revision {
  readonly number: number;
  readonly template: Template;
}

const revisionAnnotation = 'deployment.kubernetes.io/revision';
const hashLabel = 'pod-template-hash';

/** The newest revision whose template differs from the current one. */
export function earlierOf(object: KubeObject, revisions: readonly Revision[]): KubeObject | undefined {
  const { spec } = object as Templated;
  const current = JSON.stringify(sorted(spec?.template));
  const [earlier] = revisions
    .filter(({ template }) => JSON.stringify(sorted(template)) !== current)
    .toSorted((one, other) => other.number - one.number);
  return earlier && ({ ...object, spec: { ...spec, template: earlier.template } } as KubeObject);
}

/** The label with the template's hash is not part of the Deployment's template. */
export function revisionOfReplicaSet({ metadata, spec }: Templated): readonly Revision[] {
  if (spec?.template === undefined) return [];
  const labels = Object.entries(spec.template.metadata?.labels ?? {}).filter(([key]) => key !== hashLabel);
  return [
    {
      number: Number(metadata.annotations?.[revisionAnnotation] ?? 0),
      template: {
        ...spec.template,
        metadata: { ...spec.template.metadata, labels: Object.fromEntries(labels) },
      },
    },
  ];
}

/** The data is a strategic merge patch that replaces the template. */
export function revisionOfControllerRevision({ revision = 0, data }: TemplatePatch): readonly Revision[] {
  if (data?.spec?.template === undefined) return [];
  const { $patch: _, ...template } = data.spec.template;
  return [{ number: revision, template }];
}

/** The same value with members in alphabetical order; absent, null and empty creation times are equal. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, member]) => member !== null && member !== undefined && key !== 'creationTimestamp')
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([key, member]) => [key, sorted(member)]),
  );
}
