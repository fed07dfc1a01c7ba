/** The images defined by the user, by name: the registry of one process. */

import { fullName } from '../behaviour/images.ts';
import type { ImageDefinition } from './image-definition.ts';

const portMax = 65_535;

export class DefinedImages {
  readonly #definitions = new Map<string, ImageDefinition>();

  /** @param from the images of this other registry are defined here, too */
  constructor(from?: DefinedImages) {
    for (const [name, definition] of from === undefined ? [] : from.#definitions)
      this.#definitions.set(name, definition);
  }

  /** The full name, with registry and tag. */
  get names(): readonly string[] {
    return [...this.#definitions.keys()];
  }

  /**
   * Containers that start from now on run this. A later definition of the same name replaces it.
   * @param name `shop:1.2`; the tag defaults to `latest`
   * @throws TypeError for an invalid definition
   */
  define(name: string, definition: ImageDefinition): void {
    checkDefinition(name, definition);
    this.#definitions.set(fullName(name), definition);
  }

  remove(name: string): void {
    this.#definitions.delete(fullName(name));
  }

  /** Returns undefined for an image that is not defined. */
  find(name: string): ImageDefinition | undefined {
    return this.#definitions.size === 0 ? undefined : this.#definitions.get(fullName(name));
  }
}

const words: Readonly<Record<keyof ImageDefinition, (value: unknown) => string | undefined>> = {
  listen: (value) =>
    functionsIn(value) ??
    (Object.keys(value as object).every(
      (port) => /^\d+$/.test(port) && Number(port) > 0 && Number(port) <= portMax,
    )
      ? undefined
      : `functions by port, from 1 to ${portMax}`),
  run: (value) => (typeof value === 'function' ? undefined : 'a function'),
  commands: functionsIn,
  probes: (value) =>
    functionsIn(value) ??
    (Object.keys(value as object).every((kind) => ['startup', 'readiness', 'liveness'].includes(kind))
      ? undefined
      : 'functions for startup, readiness or liveness'),
  logs: (value) =>
    Array.isArray(value) && value.every((line) => typeof line === 'string') ? undefined : 'a list of lines',
  files: (value) =>
    isTable(value) &&
    Object.entries(value).every(
      ([path, content]) =>
        path.startsWith('/') && (typeof content === 'string' || content instanceof Uint8Array),
    )
      ? undefined
      : 'text or bytes by absolute path',
};

function functionsIn(value: unknown): string | undefined {
  const areFunctions = isTable(value) && Object.values(value).every((one) => typeof one === 'function');
  return areFunctions ? undefined : 'functions by name';
}

const isTable = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** @throws TypeError */
function checkDefinition(name: unknown, definition: unknown): void {
  if (typeof name !== 'string' || name === '')
    throw new TypeError('an image must have a name such as shop:1.2');
  if (!isTable(definition)) throw new TypeError(`image ${name}: a definition must be an object`);
  for (const [part, value] of Object.entries(definition)) {
    const check = Object.hasOwn(words, part) ? words[part as keyof ImageDefinition] : undefined;
    if (check === undefined)
      throw new TypeError(
        `image ${name}: unknown part "${part}"; there are ${Object.keys(words).join(', ')}`,
      );
    const wanted = value === undefined ? undefined : check(value);
    if (wanted !== undefined) throw new TypeError(`image ${name}: ${part} must be ${wanted}`);
  }
}
