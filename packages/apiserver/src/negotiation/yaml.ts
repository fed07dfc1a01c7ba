/** YAML bodies and responses, by way of JSON as upstream does it. */
import { readYaml as read, YamlError } from '@coxswain/apimachinery/yaml/read.ts';
import { AllowanceSpent } from '@coxswain/apimachinery/work-allowance.ts';
import { writeYaml } from '@coxswain/apimachinery/yaml/write.ts';
import { resolvePlain } from '@coxswain/apimachinery/yaml/plain-scalar.ts';
import { DecodeError, parseJson } from '@coxswain/schema';
import { exactTree } from '@coxswain/schema/json/parsed.ts';
import { rawNumber } from '@coxswain/schema/scalars/raw-number.ts';
import { JsonNumber, JsonObject, setMember, type JsonTree } from '@coxswain/schema/json/tree.ts';
import { goFloat } from '@coxswain/schema/scalars/go-quote.ts';

/** JSON text as YAML with sorted members. */
export function yamlOfJson(json: string): string {
  const { value, members, text } = parseJson(json);
  return writeYaml(members < 0 ? readAsYaml(exactTree(text)) : value);
}

/** Upstream parses the JSON as YAML, so numbers follow YAML's rules. */
function readAsYaml(tree: JsonTree): unknown {
  if (tree instanceof JsonNumber) {
    const { kind, value } = resolvePlain(tree.text);
    return kind === 'float' ? rawNumber(goFloat(value as number)) : value;
  }
  if (typeof tree === 'string') return tree.toWellFormed();
  if (Array.isArray(tree)) return tree.map(readAsYaml);
  if (!(tree instanceof JsonObject)) return tree;
  const object: Record<string, unknown> = {};
  for (const [index, name] of tree.names.entries()) setMember(object, name, readAsYaml(tree.values[index]!));
  return object;
}

export interface ReadYaml {
  readonly value: unknown;
  /** Duplicate keys, in the words of the strict decoder. */
  readonly problems: readonly string[];
}

/** @throws DecodeError 'syntax' */
export function readYaml(bytes: Uint8Array): ReadYaml {
  const text = new TextDecoder().decode(bytes);
  const json = plainJson(text);
  if (json !== undefined) return { value: json.value, problems: [] };
  try {
    return { value: read(text), problems: duplicateKeys(text) };
  } catch (failure) {
    if (failure instanceof YamlError) throw new DecodeError('syntax', failure.message);
    // The reader is recursive; input that exceeds its stack is malicious.
    if (failure instanceof RangeError) throw new DecodeError('syntax', 'yaml: exceeded max depth of 10000');
    throw failure;
  }
}

/**
 * JSON is YAML, and most clients that apply send it: for ordinary JSON, JSON.parse is twenty times faster. Undefined if
 * keys are duplicated or long, or digits could be lost.
 */
function plainJson(text: string): { readonly value: unknown } | undefined {
  if (!text.startsWith('{') || manyDigits.test(text)) return undefined;
  try {
    const { value, members } = parseJson(text);
    return members === membersOf(value) ? { value } : undefined;
  } catch {
    return undefined;
  }
}

/** More digits than a double holds exactly. */
const manyDigits = /\d{16}/;

/** A YAML key is limited to 1,024 characters, and each may be escaped with six. */
const keyCharactersMax = 170;

/** The number of members in a value and everything it contains; NaN if a key is long. */
function membersOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const keys = Array.isArray(value) ? [] : Object.keys(value);
  if (keys.some(({ length }) => length > keyCharactersMax)) return NaN;
  let count = keys.length;
  for (const member of Object.values(value)) count += membersOf(member);
  return count;
}

/** Duplicate keys as the strict decoder reports them: one text of several lines. */
function duplicateKeys(text: string): readonly string[] {
  try {
    read(text, { strict: true });
    return [];
  } catch (failure) {
    if (failure instanceof AllowanceSpent) throw failure;
    return failure instanceof YamlError ? [failure.message] : [];
  }
}

/** The strict decoder's errors as warnings: one for each line, without the heading. */
export const warningsOf = (problem: string): readonly string[] =>
  problem.startsWith(heading)
    ? problem
        .slice(heading.length)
        .split('\n')
        .map((line) => line.trim())
    : [problem];

const heading = 'yaml: unmarshal errors:\n';
