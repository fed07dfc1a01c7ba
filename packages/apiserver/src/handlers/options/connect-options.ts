/** The options in a connection's query, as an object of the subresource's kind: PodExecOptions, … */
import type { KubeObject } from '@coxswain/apimachinery';
import { resolved, type Field, type Kind } from '@coxswain/schema';

/** @param rest path segments after the subresource */
export function connectOptions(kind: Kind, parameters: URLSearchParams, rest: readonly string[]): KubeObject {
  const members = Object.entries(kind.type.fields).flatMap(([name, field]) => {
    const value =
      name === 'path' && rest.length > 0 ? rest.join('/') : valueOf(field, parameters.getAll(name));
    return value === undefined ? [] : [[name, value]];
  });
  return { kind: kind.kind, apiVersion: kind.apiVersion, ...Object.fromEntries(members) } as KubeObject;
}

/** Undefined for an absent or empty parameter. */
function valueOf({ type }: Field, texts: readonly string[]): unknown {
  const [text] = texts;
  if (text === undefined) return undefined;
  const actual = resolved(type);
  if (actual.form === 'list') {
    const element = resolved(actual.element);
    return texts.map((one) => (element.form === 'scalar' && element.scalar === 'string' ? one : Number(one)));
  }
  if (actual.form !== 'scalar' || actual.scalar === 'string') return text === '' ? undefined : text;
  // Any text but these is true, as upstream.
  if (actual.scalar === 'bool') return text !== 'false' && text !== '0' ? true : undefined;
  return Number(text);
}
