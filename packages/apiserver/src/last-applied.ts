/** The annotation in which kubectl's client-side apply stores its last configuration. */
import type { KubeObject } from '@coxswain/apimachinery';
import { lastAppliedAnnotation } from '@coxswain/schema';
import { writeAny } from '@coxswain/schema/json/write.ts';
import { utf8 } from './http/api-response.ts';

/** The limit of all annotations of an object together; larger ones are refused. */
const annotationBytesMax = 256 * 1024;

/**
 * Updates the annotation of objects that were applied client-side before when kubectl applies them server-side, so that
 * an older kubectl can continue.
 */
export function withLastApplied(applied: KubeObject, config: KubeObject): KubeObject {
  const { annotations } = applied.metadata;
  if (!annotations?.[lastAppliedAnnotation]) return applied;
  const next: Record<string, string> = { ...annotations, [lastAppliedAnnotation]: textOf(config) };
  if (bytesOf(next) > annotationBytesMax) delete next[lastAppliedAnnotation];
  return { ...applied, metadata: { ...applied.metadata, annotations: next } };
}

/** With sorted members, as upstream writes untyped values. */
function textOf(config: KubeObject): string {
  const { annotations, ...metadata } = config.metadata ?? {};
  if (typeof annotations !== 'object' || annotations === null) {
    return `${writeAny(sorted({ ...config, metadata }))}\n`;
  }
  const others: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(annotations)) {
    // A null among strings is decoded as an empty string.
    if (name !== lastAppliedAnnotation) others[name] = value ?? '';
  }
  return `${writeAny(sorted({ ...config, metadata: { ...metadata, annotations: others } }))}\n`;
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  if (Object.getPrototypeOf(value) !== Object.prototype) return value;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, sorted(member)]));
}

function bytesOf(annotations: Readonly<Record<string, string>>): number {
  let bytes = 0;
  for (const [name, value] of Object.entries(annotations)) {
    bytes += utf8(name).length + utf8(value).length;
  }
  return bytes;
}
