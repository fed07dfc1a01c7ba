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
    // The reader is recursive, and what nests deeper than its stack is no honest body.
    if (failure instanceof RangeError) throw new DecodeError('syntax', 'yaml: exceeded max depth of 10000');
    throw failure;
  }
}

/** Keys that stand twice, as the strict reader complains of them: one text of several lines. */
export function duplicateKeys(text: string): readonly string[] {
  try {
    read(text, { strict: true });
    return [];
  } catch (failure) {
    return failure instanceof YamlError ? [failure.message] : [];
  }
}

/** A strict reader's complaint as warnings: one for each line, without the heading. */
export const warningsOf = (problem: string): readonly string[] =>
  problem.startsWith(heading)
    ? problem
        .slice(heading.length)
        .split('\n')
        .map((line) => line.trim())
    : [problem];

const heading = 'yaml: unmarshal errors:\n';
