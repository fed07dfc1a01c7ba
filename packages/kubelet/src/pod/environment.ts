/** Computes the environment variables of a container from all sources. */
import type { Container } from '@coxswain/api/core/v1/container.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { isStatusError } from '@coxswain/apimachinery';
import { podFieldText, resourceText, type NodeFacts } from './downward-api.ts';
import { expandVariables } from './expand-variables.ts';

export interface EnvironmentSources {
  /** Text by key. @throws StatusError 404 if it does not exist */
  configMap(namespace: string, name: string): Promise<Readonly<Record<string, string>>>;
  /** @throws StatusError 404 if it does not exist */
  secret(namespace: string, name: string): Promise<Readonly<Record<string, Uint8Array>>>;
  /** Returns a key of a file in shell variable syntax, in a volume of the pod. @throws Error */
  fileKey?(volume: string, file: string, key: string): Promise<string | undefined>;
  readonly serviceVariables: ReadonlyMap<string, string>;
  readonly facts: NodeFacts;
}

/** @throws Error with upstream's message if something required is missing */
export async function containerEnvironment(
  pod: Pod,
  container: Container,
  sources: EnvironmentSources,
): Promise<Map<string, string>> {
  const reader = new SourceReader(pod.metadata?.namespace ?? '', sources);
  const variables = new Map<string, string>();
  for (const { prefix = '', configMapRef, secretRef } of container.envFrom ?? []) {
    const data = configMapRef
      ? await reader.configMap(configMapRef.name ?? '', configMapRef.optional)
      : secretRef
        ? await reader.secret(secretRef.name ?? '', secretRef.optional)
        : undefined;
    for (const [key, value] of Object.entries(data ?? {})) variables.set(prefix + key, value);
  }
  const known = (name: string) => variables.get(name) ?? sources.serviceVariables.get(name);
  for (const { name, value, valueFrom } of container.env ?? []) {
    const text = value
      ? expandVariables(value, known)
      : valueFrom
        ? await reader.value(pod, container, valueFrom)
        : '';
    if (text !== undefined) variables.set(name, text);
  }
  for (const [name, value] of sources.serviceVariables) if (!variables.has(name)) variables.set(name, value);
  return variables;
}

type ValueSource = NonNullable<NonNullable<Container['env']>[number]['valueFrom']>;

/** Reads each ConfigMap and Secret once per container. */
class SourceReader {
  readonly #namespace: string;
  readonly #sources: EnvironmentSources;
  readonly #configMaps = new Map<string, Readonly<Record<string, string>>>();
  readonly #secrets = new Map<string, Readonly<Record<string, string>>>();

  constructor(namespace: string, sources: EnvironmentSources) {
    this.#namespace = namespace;
    this.#sources = sources;
  }

  configMap(name: string, optional: boolean | null = false) {
    return this.#read(this.#configMaps, name, optional, () => this.#sources.configMap(this.#namespace, name));
  }

  secret(name: string, optional: boolean | null = false) {
    return this.#read(this.#secrets, name, optional, async () => {
      const data = await this.#sources.secret(this.#namespace, name);
      return Object.fromEntries(Object.entries(data).map(([key, bytes]) => [key, decoder.decode(bytes)]));
    });
  }

  /** Undefined for an optional variable whose source is missing. */
  async value(pod: Pod, container: Container, source: ValueSource): Promise<string | undefined> {
    const { fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef, fileKeyRef } = source;
    const { facts } = this.#sources;
    if (fieldRef) return podFieldText(pod, fieldRef.fieldPath, facts);
    if (resourceFieldRef) return resourceText(pod, container, resourceFieldRef, facts);
    if (configMapKeyRef) {
      const { name = '', key, optional } = configMapKeyRef;
      return this.#key('ConfigMap', name, key, optional, await this.configMap(name, optional));
    }
    if (secretKeyRef) {
      const { name = '', key, optional } = secretKeyRef;
      return this.#key('Secret', name, key, optional, await this.secret(name, optional));
    }
    if (fileKeyRef) return this.#fileKey(fileKeyRef);
    return '';
  }

  async #read(
    known: Map<string, Readonly<Record<string, string>>>,
    name: string,
    optional: boolean | null,
    read: () => Promise<Readonly<Record<string, string>>>,
  ): Promise<Readonly<Record<string, string>> | undefined> {
    const before = known.get(name);
    if (before !== undefined) return before;
    try {
      const data = await read();
      known.set(name, data);
      return data;
    } catch (error) {
      if (optional && isStatusError(error, 'NotFound')) return undefined;
      throw error;
    }
  }

  #key(
    kind: string,
    name: string,
    key: string,
    optional: boolean | null | undefined,
    data: Readonly<Record<string, string>> | undefined,
  ): string | undefined {
    if (data !== undefined && Object.hasOwn(data, key)) return data[key];
    if (optional) return undefined;
    throw new Error(`couldn't find key ${key} in ${kind} ${this.#namespace}/${name}`);
  }

  async #fileKey({ volumeName, path, key, optional }: NonNullable<ValueSource['fileKeyRef']>) {
    const value = await this.#sources.fileKey?.(volumeName, path, key);
    if (value) return value;
    if (optional) return undefined;
    throw new Error(`environment variable key "${key}" not found in file "${path}"`);
  }
}

const decoder = new TextDecoder();
