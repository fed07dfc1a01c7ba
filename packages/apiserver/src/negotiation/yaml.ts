/** YAML bodies and answers, by way of JSON as the original does it. */
import { readYaml as read, YamlError } from '@coxswain/apimachinery/yaml/read.ts';
import { writeYaml } from '@coxswain/apimachinery/yaml/write.ts';
import { DecodeError } from '@coxswain/schema';

/** JSON text as YAML with sorted members. */
export const yamlOfJson = (json: string): string => writeYaml(JSON.parse(json));

export interface ReadYaml {
  readonly value: unknown;
  /** Keys that stand twice, in the words of the strict reader. */
  readonly problems: readonly string[];
}

/** @throws DecodeError 'syntax' */
export function readYaml(bytes: Uint8Array): ReadYaml {
  const text = new TextDecoder().decode(bytes);
  try {
    return { value: read(text), problems: duplicateKeys(text) };
  } catch (failure) {
    if (failure instanceof YamlError) throw new DecodeError('syntax', failure.message);
    throw failure;
  }
}

/** Keys that stand twice, as the strict reader complains of them. */
export function duplicateKeys(text: string): readonly string[] {
  try {
    read(text, { strict: true });
    return [];
  } catch (failure) {
    return failure instanceof YamlError ? linesOf(failure.message) : [];
  }
}

const linesOf = (message: string): readonly string[] =>
  message
    .split('\n')
    .slice(1)
    .map((line) => line.trim());
