/** The conditions that `wait --for` supports. */
import type { KubeObject } from '@coxswain/apimachinery';
import { compileJsonPath } from '@coxswain/apimachinery/jsonpath/evaluate.ts';
import { printedValue } from '@coxswain/apimachinery/jsonpath/value.ts';
import { relaxedJsonPath } from '../printers/relaxed-json-path.ts';

/** The condition that an object, or its absence, must meet. */
export interface WaitCondition {
  readonly kind: 'delete' | 'create' | 'state';
  isMet(object: KubeObject | undefined): boolean;
}

/** @throws Error if the text is invalid */
export function readCondition(text: string): WaitCondition {
  const lower = text.toLowerCase();
  if (lower === 'delete') return { kind: 'delete', isMet: (object) => object === undefined };
  if (lower === 'create') return { kind: 'create', isMet: (object) => object !== undefined };
  if (text.startsWith('condition=')) return statusCondition(text.slice('condition='.length));
  if (text.startsWith('jsonpath=')) return pathCondition(text.slice('jsonpath='.length));
  throw new Error(`unrecognized condition: "${text}"`);
}

interface Conditions {
  readonly conditions?: readonly {
    readonly type?: string;
    readonly status?: string;
    readonly observedGeneration?: number;
  }[];
  readonly observedGeneration?: number;
}

function statusCondition(text: string): WaitCondition {
  const equals = text.indexOf('=');
  const type = (equals < 0 ? text : text.slice(0, equals)).toLowerCase();
  const wanted = (equals < 0 ? 'true' : text.slice(equals + 1)).toLowerCase();
  return {
    kind: 'state',
    isMet(object) {
      const status = (object as { status?: Conditions } | undefined)?.status;
      const found = status?.conditions?.find((condition) => condition.type?.toLowerCase() === type);
      if (found === undefined) return false;
      const generation = object?.metadata.generation ?? 0;
      // A status of an older generation says nothing about this one.
      const observed = found.observedGeneration ?? status?.observedGeneration;
      if (observed !== undefined && observed < generation) return false;
      return found.status?.toLowerCase() === wanted;
    },
  };
}

/** Stands for `==`, which is not a separator here. */
const doubleEquals = '\0';

function pathCondition(text: string): WaitCondition {
  const { path, value } = splitPath(text);
  if (path === '') throw new Error('jsonpath expression cannot be empty');
  const compiled = compileJsonPath(path, { allowMissingKeys: true });
  return {
    kind: 'state',
    isMet(object) {
      if (object === undefined) return false;
      const [first = [], ...more] = compiled.find(object);
      if (first.length === 0) return false;
      if (more.length > 0) throw new Error('given jsonpath expression matches more than one list');
      if (first.length > 1) throw new Error('given jsonpath expression matches more than one value');
      if (value === undefined) return true;
      if (typeof first[0] === 'object' && first[0] !== null) {
        throw new Error('jsonpath leads to a nested object or list which is not supported');
      }
      return printedValue(first[0]).trim() === value.trim();
    },
  };
}

/** Splits `{.a.b}=value`, `.a.b=value`, or only a path; `==` may be part of either. */
function splitPath(text: string): { path: string; value: string | undefined } {
  const [path = '', value, ...more] = text
    .replaceAll('==', doubleEquals)
    .split('=')
    .map((part) => part.replaceAll(doubleEquals, '=='));
  if (more.length > 0)
    throw new Error(
      `jsonpath wait format must be --for=jsonpath='{.status.readyReplicas}'=3 or --for=jsonpath='{.status.readyReplicas}'`,
    );
  const relaxed = relaxedJsonPath(path);
  const wanted = value?.replace(/^['"]+|['"]+$/g, '');
  if (wanted === '')
    throw new Error(
      `jsonpath wait has to have a value after equal sign, like --for=jsonpath='{.status.readyReplicas}'=3`,
    );
  return { path: relaxed, value: wanted };
}
