/**
 * Applies the PodPresets that match a new pod's labels. If any of them conflicts with the pod, none is applied. Removed
 * upstream in 1.20; enabled if PodPresets are served.
 */
import { labelSelectorFromSpec, semanticDeepEqual } from '@coxswain/apimachinery';
import type { AdmissionPlugin } from '@coxswain/apiserver';
import type { Container } from '@coxswain/api/core/v1/container.ts';
import type { EnvFromSource } from '@coxswain/api/core/v1/env-var.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { PodPreset } from '@coxswain/api/settings/v1alpha1.ts';
import { isTo, objectOf, on } from '../attributes.ts';
import { resources, type ObjectReader } from '../../object-reader.ts';

const mirrorAnnotation = 'kubernetes.io/config.mirror';
const optOutAnnotation = 'podpreset.admission.kubernetes.io/exclude';
const appliedAnnotation = (name: string): string => `podpreset.admission.kubernetes.io/podpreset-${name}`;

export const podPreset = (objects: ObjectReader): AdmissionPlugin => ({
  name: 'PodPreset',
  handles: on('CREATE'),
  async mutate(attributes) {
    if (!isTo(attributes, resources.pods)) return;
    const pod = objectOf<Pod>(attributes);
    const annotations = pod.metadata.annotations ?? {};
    if (annotations[mirrorAnnotation] !== undefined || annotations[optOutAnnotation] === 'true') return;
    const all = await objects.list<PodPreset>(resources.podPresets, attributes.namespace);
    const matching = all.filter(({ spec }) =>
      labelSelectorFromSpec(spec?.selector ?? {}).matches(pod.metadata.labels ?? {}),
    );
    if (matching.length > 0) give(pod, matching);
  },
});

function give(pod: Pod, presets: readonly PodPreset[]): void {
  const { spec, metadata } = pod;
  const specs = presets.map((preset) => preset.spec ?? {});
  const volumes = merged(
    spec.volumes,
    specs.flatMap((one) => one.volumes ?? []),
    byName,
  );
  const containers = containersWith(spec.containers, specs);
  const initContainers = containersWith(spec.initContainers ?? [], specs);
  if (volumes === undefined || containers === undefined || initContainers === undefined) return;
  spec.containers = containers;
  if (volumes.length > 0) spec.volumes = volumes;
  if (initContainers.length > 0) spec.initContainers = initContainers;
  const applied = presets.map((preset) => [
    appliedAnnotation(preset.metadata.name ?? ''),
    preset.metadata.resourceVersion ?? '',
  ]);
  metadata.annotations = { ...metadata.annotations, ...Object.fromEntries(applied) };
}

type PresetSpec = NonNullable<PodPreset['spec']>;

/** Undefined when a container conflicts with a preset. */
function containersWith(
  containers: readonly Container[],
  presets: readonly Partial<PresetSpec>[],
): Container[] | undefined {
  const given = containers.map((container) => containerWith(container, presets));
  return given.includes(undefined) ? undefined : (given as Container[]);
}

function containerWith(container: Container, presets: readonly Partial<PresetSpec>[]): Container | undefined {
  const env = merged(
    container.env,
    presets.flatMap((one) => one.env ?? []),
    byName,
  );
  const envFrom = merged(
    container.envFrom,
    presets.flatMap((one) => one.envFrom ?? []),
    bySource,
  );
  const mounts = presets.flatMap((one) => one.volumeMounts ?? []);
  const volumeMounts = merged(container.volumeMounts, mounts, byName);
  if (env === undefined || envFrom === undefined || volumeMounts === undefined) return undefined;
  const byPath = merged([], volumeMounts, ({ mountPath }) => mountPath);
  if (byPath === undefined) return undefined;
  return {
    ...container,
    ...(env.length > 0 && { env }),
    ...(envFrom.length > 0 && { envFrom }),
    ...(volumeMounts.length > 0 && { volumeMounts }),
  };
}

const byName = ({ name }: { readonly name: string }): string => name;

const bySource = ({ prefix = '', configMapRef, secretRef }: EnvFromSource): string =>
  JSON.stringify([prefix, configMapRef?.name ?? '', secretRef?.name ?? '']);

/** Merges both lists; undefined when two entries with the same key differ. */
function merged<T>(
  own: readonly T[] | null | undefined,
  added: readonly T[] | null | undefined,
  keyOf: (item: T) => string,
): T[] | undefined {
  const items = [...(own ?? [])];
  for (const item of added ?? []) {
    const found = items.find((other) => keyOf(other) === keyOf(item));
    if (found === undefined) items.push(item);
    else if (!semanticDeepEqual(found, item)) return undefined;
  }
  return items;
}
