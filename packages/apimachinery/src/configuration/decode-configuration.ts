/** Decodes configuration files: YAML or JSON with an apiVersion and a kind, with upstream's error messages. */
import { decodeValue } from '@coxswain/schema/decode.ts';
import { typeMetaOfValue, type TypeMeta } from '@coxswain/schema/json/parsed.ts';
import type { Fields, StructType } from '@coxswain/schema/type.ts';
import { messageOf } from '../message-of.ts';
import { readYaml } from '../yaml/read.ts';

export interface ConfigurationForm<T> {
  /** `apiserver.config.k8s.io/v1 AdmissionConfiguration` */
  readonly kinds: readonly string[];
  readonly type: StructType<Fields, T>;
  /** Whether unknown and duplicate members are errors. */
  readonly isStrict: boolean;
}

/** A file without kind or version, or of an unknown kind: it may have an older form. */
export class UnknownConfigurationError extends Error {
  override readonly name = 'UnknownConfigurationError';
}

/** @throws Error that describes the problem, UnknownConfigurationError for another kind */
export function decodeConfiguration<T>(text: string, { kinds, type, isStrict }: ConfigurationForm<T>): T {
  const value: unknown = readYaml(text);
  const { apiVersion, kind } = documentTypeMeta(value);
  if (apiVersion === '' && kind !== '') throw missing('apiVersion', text);
  if (kind === '') throw missing('Kind', text);
  if (!kinds.includes(`${apiVersion} ${kind}`)) {
    throw new UnknownConfigurationError(
      `no kind "${kind}" is registered for version "${apiVersion}" in scheme "pkg/runtime/scheme.go:111"`,
    );
  }
  const { object, problems } = decodeValue(type, sortedMembers(value));
  if (isStrict) {
    const all = [...duplicatesIn(text), ...problems];
    if (all.length > 0) throw new Error(`strict decoding error: ${all.join(', ')}`);
  }
  return object;
}

/** The type that a document states. @throws Error with upstream's message for anything but an object */
export function documentTypeMeta(value: unknown): TypeMeta {
  try {
    return typeMetaOfValue(value ?? null);
  } catch (failure) {
    const message = messageOf(failure);
    throw new Error(`couldn't get version/kind; json parse error: ${message}`, { cause: failure });
  }
}

/** Upstream converts it to JSON first, and reports errors in that order. */
function sortedMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortedMembers);
  if (value === null || typeof value !== 'object') return value;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, sortedMembers(member)]));
}

const missing = (member: string, text: string): Error =>
  new UnknownConfigurationError(`Object '${member}' is missing in '${text}'`);

function duplicatesIn(text: string): string[] {
  try {
    readYaml(text, { strict: true });
    return [];
  } catch (failure) {
    return [messageOf(failure)];
  }
}
