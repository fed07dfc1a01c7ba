/** `set env --list`: prints the variables of containers, with --resolve their values. */
import type { KubeObject } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import type { CommandContext } from '../../context.ts';
import { objectOf, type Info } from '../../resource/info.ts';
import { resourceShare } from '../../describers/containers.ts';
import { podSpecOf, type Container, type EnvVar } from './pod-specs.ts';

interface DataObject extends KubeObject {
  readonly data?: Readonly<Record<string, string>>;
}

export interface ListChoice {
  isMeant(container: Container): boolean;
  readonly resolve: boolean;
}

/** Lists containers before init containers. Errors of lookups are printed after each container. */
export async function listVariables(context: CommandContext, info: Info, choice: ListChoice): Promise<void> {
  const object = objectOf(info);
  const { containers = [], initContainers = [] } = podSpecOf(object) ?? {};
  for (const container of [...containers, ...initContainers].filter((each) => choice.isMeant(each))) {
    context.print(`# ${object.kind ?? ''} ${info.name}, container ${container.name}\n`);
    const lost = new Map<string, string[]>();
    for (const variable of container.env ?? []) {
      try {
        context.print(`${await variableLine(context, choice, object, container, variable)}\n`);
      } catch (failure) {
        context.print(`# ${variable.name} from ${referenceText(variable)}\n`);
        const message = messageOf(failure);
        lost.set(message, [...(lost.get(message) ?? []), variable.name]);
      }
    }
    const reported = [...lost].map(
      ([reason, names]) => `error retrieving reference for ${names.sort().join(', ')}: ${reason}\n`,
    );
    context.printError(reported.sort().join(''));
  }
}

async function variableLine(
  context: CommandContext,
  { resolve }: ListChoice,
  object: KubeObject,
  container: Container,
  variable: EnvVar,
): Promise<string> {
  if (variable.valueFrom === undefined) return `${variable.name}=${variable.value ?? ''}`;
  if (!resolve) return `# ${variable.name} from ${referenceText(variable)}`;
  return `${variable.name}=${await valueOf(context, object, container, variable)}`;
}

function referenceText({ valueFrom = {} }: EnvVar): string {
  const { secretKeyRef, configMapKeyRef, fieldRef, resourceFieldRef } = valueFrom;
  if (secretKeyRef) return `secret ${secretKeyRef.name ?? ''}, key ${secretKeyRef.key}`;
  if (configMapKeyRef) return `configmap ${configMapKeyRef.name ?? ''}, key ${configMapKeyRef.key}`;
  if (fieldRef) return `field path ${fieldRef.fieldPath}`;
  if (resourceFieldRef === undefined) return 'invalid valueFrom';
  const { containerName, resource } = resourceFieldRef;
  return `resource field ${containerName ? `${containerName}/` : ''}${resource}`;
}

/** @throws Error with the reason for values that only a running pod has */
async function valueOf(
  context: CommandContext,
  object: KubeObject,
  container: Container,
  { valueFrom = {} }: EnvVar,
): Promise<string> {
  const { secretKeyRef, configMapKeyRef, fieldRef, resourceFieldRef } = valueFrom;
  if (secretKeyRef) {
    const data = await dataOf(context, 'secrets', secretKeyRef.name ?? '');
    const value = data[secretKeyRef.key];
    if (value !== undefined) return Buffer.from(value, 'base64').toString('utf8');
    throw new Error(`key ${secretKeyRef.key} not found in secret ${secretKeyRef.name ?? ''}`);
  }
  if (configMapKeyRef) {
    const data = await dataOf(context, 'configmaps', configMapKeyRef.name ?? '');
    const value = data[configMapKeyRef.key];
    if (value !== undefined) return value;
    throw new Error(`key ${configMapKeyRef.key} not found in config map ${configMapKeyRef.name ?? ''}`);
  }
  if (fieldRef) return fieldValue(object, fieldRef.fieldPath);
  if (resourceFieldRef) return resourceShare(container, resourceFieldRef);
  throw new Error('invalid valueFrom');
}

async function dataOf(
  context: CommandContext,
  resource: 'secrets' | 'configmaps',
  name: string,
): Promise<Readonly<Record<string, string>>> {
  const { namespace } = await context.namespace();
  const path = `/api/v1/namespaces/${namespace}/${resource}/${name}`;
  const { data = {} } = await (await context.client()).request<DataObject>({ method: 'GET', path });
  return data;
}

function fieldValue({ metadata }: KubeObject, path: string): string {
  const [, whole = '', key = ''] = /^(.+?)\['(.*)'\]$/s.exec(path) ?? [];
  if (whole === 'metadata.annotations') return metadata.annotations?.[key] ?? '';
  if (whole === 'metadata.labels') return metadata.labels?.[key] ?? '';
  if (whole !== '') throw new Error(`fieldPath "${path}" does not support subscript`);
  const value = fields[path]?.(metadata);
  if (value === undefined) throw new Error(`unsupported fieldPath: ${path}`);
  return value;
}

const fields: Readonly<Record<string, (metadata: KubeObject['metadata']) => string>> = {
  'metadata.annotations': ({ annotations }) => pairLines(annotations),
  'metadata.labels': ({ labels }) => pairLines(labels),
  'metadata.name': ({ name }) => name ?? '',
  'metadata.namespace': ({ namespace }) => namespace ?? '',
  'metadata.uid': ({ uid }) => uid ?? '',
};

const pairLines = (pairs: Readonly<Record<string, string>> = {}): string =>
  Object.keys(pairs)
    .sort()
    .map((key) => `${key}=${JSON.stringify(pairs[key])}`)
    .join('\n');
