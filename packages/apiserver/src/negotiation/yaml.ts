/** YAML bodies and answers, by way of JSON as the original does it. */
import { CORE_SCHEMA, dump, load } from 'js-yaml';
import { DecodeError } from '@coxswain/schema';

/** JSON text as YAML with sorted members. */
export const yamlOfJson = (json: string): string =>
  dump(JSON.parse(json), { schema: CORE_SCHEMA, sortKeys: true, lineWidth: -1, noRefs: true });

export interface ReadYaml {
  readonly value: unknown;
  /** Duplicate keys, in the original's words. */
  readonly problems: readonly string[];
}

/** @throws DecodeError 'syntax' */
export function readYaml(bytes: Uint8Array): ReadYaml {
  const text = new TextDecoder().decode(bytes);
  try {
    return { value: text.trim() === '' ? null : load(text, { schema: CORE_SCHEMA }), problems: [] };
  } catch (failure) {
    throw new DecodeError('syntax', `yaml: ${(failure as Error).message.split('\n')[0]}`);
  }
}
