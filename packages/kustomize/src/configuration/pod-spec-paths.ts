import type { FieldSpec } from './field-spec.ts';

/** Where the pod spec is in kinds other than those with a `spec/template`. */
const podSpecPaths: Readonly<Record<string, string>> = {
  Pod: 'spec',
  PodTemplate: 'template/spec',
  CronJob: 'spec/jobTemplate/spec/template/spec',
};

/** The specs of `paths` below the pod spec of each kind. */
export const inPodSpecs = (kinds: readonly string[], paths: readonly string[]): readonly FieldSpec[] =>
  kinds.flatMap((kind) =>
    paths.map((path) => ({ path: `${podSpecPaths[kind] ?? 'spec/template/spec'}/${path}`, kind })),
  );
