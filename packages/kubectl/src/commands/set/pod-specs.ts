/** Finds the pod spec in an object: of a pod itself, a template, or a template's template. */
import type * as core from '@coxswain/api/core/v1/index.ts';
import { parseApiVersion, type KubeObject, type Live } from '@coxswain/apimachinery';
import type { Info } from '../../resource/info.ts';

export type EnvVar = Live<core.EnvVar>;

export type Container = Live<core.Container>;

export type PodSpec = Live<core.PodSpec>;

const templatePath = ['spec', 'template', 'spec'];

const podPaths: Readonly<Record<string, readonly string[]>> = {
  Pod: ['spec'],
  Deployment: templatePath,
  DaemonSet: templatePath,
  ReplicaSet: templatePath,
  StatefulSet: templatePath,
  ReplicationController: templatePath,
  Job: templatePath,
  CronJob: ['spec', 'jobTemplate', ...templatePath],
};

/** Printed with the prefix `error: ` and a trailing empty line, also among several. */
export class SetFailure extends Error {
  constructor(message: string) {
    super(`error: ${message}\n`);
  }
}

/** Returns the object with its pod spec changed. @throws Error for kinds without pods */
export function withPodSpec(object: KubeObject, change: (spec: PodSpec) => PodSpec): KubeObject {
  const path = podPaths[object.kind ?? ''];
  if (path === undefined) {
    const { version } = parseApiVersion(object.apiVersion ?? '');
    throw new Error(
      `the object is not a pod or does not have a pod template: *${version}.${object.kind ?? ''}`,
    );
  }
  return replaceAt(object, path, (spec) => change((spec ?? {}) as PodSpec)) as KubeObject;
}

export const podSpecOf = (object: KubeObject): PodSpec | undefined =>
  podPaths[object.kind ?? '']?.reduce<unknown>(
    (value, key) => (value as Record<string, unknown> | undefined)?.[key],
    object,
  ) as PodSpec | undefined;

/** `deployments/web`, or `deployment/web` without a server to look up the resource. */
export function placeOf({ mapping, name, object }: Info): string {
  if (mapping !== undefined) return `${mapping.resource}/${name}`;
  const { group } = parseApiVersion(object?.apiVersion ?? '');
  const kind = object?.kind?.toLowerCase() ?? '';
  // Upstream adds a newline after kinds with a group.
  return group === '' ? `${kind}/${name}` : `${kind}.${group}/${name}\n`;
}

function replaceAt(
  value: unknown,
  [key, ...rest]: readonly string[],
  change: (value: unknown) => unknown,
): unknown {
  if (key === undefined) return change(value);
  const object = (value ?? {}) as Record<string, unknown>;
  return { ...object, [key]: replaceAt(object[key], rest, change) };
}

/** Matches container names, with `*` for any text; as permissive as upstream. */
export function matchesContainer(pattern: string): (container: Container) => boolean {
  if (pattern === '*') return () => true;
  if (!pattern.includes('*')) return ({ name }) => name === pattern;
  const parts = pattern.split('*');
  return ({ name }) => {
    let from = 0;
    for (const [index, part] of parts.entries()) {
      if (part === '') continue;
      const next = name.slice(from).indexOf(part);
      if (next < from) return false;
      if (index === parts.length - 1 && name.length !== part.length + next) return false;
      from = next;
    }
    return true;
  };
}

/** Applies the change to containers and init containers. */
export const mapContainers = (spec: PodSpec, change: (container: Container) => Container): PodSpec => ({
  ...spec,
  ...(spec.initContainers ? { initContainers: spec.initContainers.map(change) } : {}),
  ...(spec.containers ? { containers: spec.containers.map(change) } : {}),
});
