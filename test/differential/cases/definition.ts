/** A definition of custom resources for one case, ready when its steps are done. */
import type { Step } from '../../../packages/kube-apiserver/test/oracle/case.ts';
import { ask } from './case.ts';

/** `$id.example.com`: a group of the case's own. */
export const customGroup = '$id.example.com';
export const widgets = `/apis/${customGroup}/v1/namespaces/$ns/widgets`;
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

export interface DefinedVersion {
  readonly name: string;
  readonly [more: string]: unknown;
}

/** The version `v1` with anything below spec and status, unless others are given. */
export const defined = (
  versions: readonly DefinedVersion[] = [{ name: 'v1' }],
  more: Readonly<Record<string, unknown>> = {},
): Step[] => [
  ask(
    `POST ${definitions}`,
    {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: `widgets.${customGroup}` },
      spec: {
        group: customGroup,
        scope: 'Namespaced',
        names: { plural: 'widgets', kind: 'Widget' },
        versions: versions.map((version, at) => ({
          served: true,
          storage: at === 0,
          schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
          ...version,
        })),
        ...more,
      },
    },
    { quiet: true },
  ),
  ...versions.map(({ name }) =>
    ask(`GET /apis/${customGroup}/${name}/namespaces/$ns/widgets`, undefined, {
      retry: { until: '@status==200' },
      quiet: true,
    }),
  ),
  // Writes may be refused for a moment longer than reads.
  ask(
    `POST ${widgets}?dryRun=All`,
    { apiVersion: `${customGroup}/v1`, kind: 'Widget', metadata: { name: 'ready' } },
    {
      retry: { until: '@status==201', timeoutMs: 5000 },
      quiet: true,
    },
  ),
];

export const withoutDefinition = ask(`DELETE ${definitions}/widgets.${customGroup}`);
