/** Validates a write to `/resize`: only cpu and memory of existing containers may change. */

import { forbiddenError, type FieldError, type FieldPath } from '@coxswain/apimachinery';
import { goEqual, type ValidationContext } from '@coxswain/schema';
import { pathOf, Errors } from '../../../meta/checks.ts';
import type { StatusObject } from '../../../meta/kind-object.ts';
import { validateObjectMetaUpdate } from '../../../meta/object-meta-validation.ts';
import { Container } from '../container.ts';
import { mirrorAnnotation } from './pod-annotation-validation.ts';
import { PodSpec } from '../pod-spec.ts';
import type { PodStatus } from '../pod-status.ts';
import { podOptions } from './pod-validation-options.ts';
import { validateWhole } from './pod-validation.ts';
import { qosClassOf, statedQosClass } from './quality-of-service.ts';
import { ResourceRequirements } from '../resource-requirements.ts';

type PodObject = StatusObject<PodSpec, PodStatus>;

const specPath = pathOf('spec');
const onlyResizable = 'only cpu and memory resources are mutable';

export function validateResize(pod: PodObject, old: PodObject, context: ValidationContext): FieldError[] {
  if (old.metadata.annotations?.[mirrorAnnotation] !== undefined) {
    return [forbiddenError('[]', 'static pods cannot be resized')];
  }
  if (old.spec.os?.name === 'windows') return [forbiddenError('[]', 'windows pods cannot be resized')];
  const errors = new Errors();
  validateObjectMetaUpdate(pod.metadata, old.metadata, errors);
  validateWhole(pod, podOptions(true, context, old), errors);
  if (statedQosClass(old) !== qosClassOf(pod)) {
    const detail = 'Pod QOS Class may not change as a result of resizing';
    errors.invalid(specPath, pod.status?.qosClass ?? '', detail);
  }
  if (!isSupported(old)) errors.forbidden(specPath, 'Pod running on node without support for resize');
  const resources = resizedPod(pod.spec, old.spec, errors);
  const before = errors.length;
  validateOrder(pod.spec, old.spec, errors);
  if (errors.length > before) return errors;
  const all = context.enabled('InPlacePodVerticalScalingInitContainers');
  validateRemovals(pod.spec, old.spec, all, errors);
  const initContainers = validateInitContainers(pod.spec, old.spec, all, errors);
  const containers = (pod.spec.containers ?? []).map((container, index) => {
    const stored = old.spec.containers[index]!;
    const kept = withResourcesOf(container, stored);
    if (!isSameContainer(kept, stored)) errors.forbidden(specPath, onlyResizable);
    return kept;
  });
  if (errors.length > 0) return errors;
  const rest = { ...pod.spec, containers, initContainers, resources };
  const stored = { ...old.spec, initContainers: old.spec.initContainers ?? [] };
  if (!goEqual(PodSpec, rest, stored, 'semantic')) {
    errors.forbidden(specPath, onlyResizable);
  }
  return errors;
}

const isSameContainer = (container: Container, old: Container): boolean =>
  goEqual(Container, container, old, 'semantic');

/** Nodes that support resizing report the resources of running containers. */
function isSupported({ status }: PodObject): boolean {
  const running = (status?.containerStatuses ?? []).find(({ state }) => state?.running != null);
  return running === undefined || running.resources != null;
}

/** The resources of the whole pod, with the mutable ones as before. */
function resizedPod(
  { resources }: PodSpec,
  { resources: stored }: PodSpec,
  errors: Errors,
): ResourceRequirements | undefined {
  if (!asksForSome(resources) && !asksForSome(stored)) return resources;
  const path = specPath.child('resources');
  if (resources == null) {
    errors.forbidden(path, 'pod-level resources cannot be removed');
    return resources;
  }
  for (const list of ['requests', 'limits'] as const) {
    if (!isAnyRemoved(resources[list], stored?.[list])) continue;
    errors.forbidden(path.child(list), `pod-level resource ${list} cannot be removed`);
  }
  const kept = withAmountsOf(resources, stored ?? {});
  if (stored == null && !asksForSome(kept) && (kept.claims ?? []).length === 0) return undefined;
  if (stored == null || !goEqual(ResourceRequirements, kept, stored, 'semantic')) {
    errors.forbidden(specPath, `${onlyResizable} at pod-level`);
  }
  return kept;
}

const asksForSome = (resources: ResourceRequirements | null | undefined): boolean =>
  Object.keys({ ...resources?.requests, ...resources?.limits }).length > 0;

function validateOrder(spec: PodSpec, old: PodSpec, errors: Errors): void {
  for (const list of ['containers', 'initContainers'] as const) {
    const containers = spec[list] ?? [];
    const stored = old[list] ?? [];
    const path = specPath.child(list);
    if (containers.length !== stored.length) {
      errors.forbidden(path, `${list} may not be added or removed on resize`);
      continue;
    }
    for (const [index, { name }] of stored.entries()) {
      if (containers[index]!.name === name) continue;
      const detail = `${list} may not be renamed or reordered on resize`;
      errors.forbidden(path.index(index).child('name'), detail);
    }
  }
}

/** With `all`, every init container can be resized, not only sidecars. */
function validateRemovals(spec: PodSpec, old: PodSpec, all: boolean, errors: Errors): void {
  for (const list of ['initContainers', 'containers'] as const) {
    for (const [index, stored] of (old[list] ?? []).entries()) {
      if (list === 'initContainers' && !all && stored.restartPolicy !== 'Always') continue;
      const path = specPath.child(list).index(index).child('resources');
      validateRemoval(spec[list]![index]!.resources, stored.resources, path, errors);
    }
  }
}

function validateRemoval(
  resources: ResourceRequirements | undefined,
  old: ResourceRequirements | undefined,
  path: FieldPath,
  errors: Errors,
): void {
  for (const list of ['requests', 'limits'] as const) {
    if (!isAnyRemoved(resources?.[list], old?.[list])) continue;
    errors.forbidden(path.child(list), `resource ${list} cannot be removed`);
  }
}

type Amounts = Readonly<Record<string, string>> | undefined;

const isAnyRemoved = (amounts: Amounts, old: Amounts): boolean =>
  Object.keys(old ?? {}).some((name) => amounts?.[name] === undefined);

function validateInitContainers(spec: PodSpec, old: PodSpec, all: boolean, errors: Errors): Container[] {
  return (spec.initContainers ?? []).map((container, index) => {
    const stored = old.initContainers![index]!;
    const isSidecar = container.restartPolicy === 'Always';
    const isModified = !isSameContainer(container, stored);
    if (!all && !isSidecar) {
      if (isModified) {
        const detail = 'resources for non-sidecar init containers are immutable';
        errors.forbidden(specPath, detail);
      }
      return container;
    }
    const kept = withResourcesOf(container, stored);
    if (!isSameContainer(kept, stored)) {
      const detail = 'only cpu and memory resources for init or sidecar containers are mutable';
      errors.forbidden(specPath.child('initContainers').index(index), detail);
    }
    const restarts = (container.resizePolicy ?? []).filter(
      ({ restartPolicy }) => restartPolicy === 'RestartContainer',
    );
    if (isModified && !isSidecar) {
      for (let count = 0; count < restarts.length; count++) {
        const detail =
          'non-sidecar init containers with a resize policy of RestartContainer cannot be resized';
        errors.forbidden(specPath.child('initContainers').index(index), detail);
      }
    }
    return kept;
  });
}

/** The container with the cpu and memory of `old`: any remaining difference is another change. Claims are removed. */
function withResourcesOf(container: Container, old: Container): Container {
  const { limits, requests } = container.resources ?? {};
  const amounts = { ...(limits && { limits }), ...(requests && { requests }) };
  const resources = withAmountsOf(amounts, old.resources ?? {});
  return { ...container, resources } as Container;
}

function withAmountsOf(resources: ResourceRequirements, old: ResourceRequirements): ResourceRequirements {
  const kept: ResourceRequirements = { ...resources };
  for (const list of ['limits', 'requests'] as const) {
    if (resources[list] === undefined && old[list] === undefined) continue;
    const { cpu: _cpu, memory: _memory, ...others } = resources[list] ?? {};
    const { cpu, memory } = old[list] ?? {};
    const amounts = {
      ...others,
      ...(cpu === undefined ? {} : { cpu }),
      ...(memory === undefined ? {} : { memory }),
    };
    if (Object.keys(amounts).length > 0 || old[list] !== undefined) kept[list] = amounts;
    else delete kept[list];
  }
  return kept;
}
