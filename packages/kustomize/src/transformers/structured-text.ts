/** Values inside text that is YAML or JSON itself: `data.config\.yaml.server.port`. */
import { become, type NodeKind, type YamlNode } from '../yaml/node.ts';
import { toJson } from '../yaml/json.ts';
import { parseYaml } from '../yaml/parse.ts';
import { lookup } from '../yaml/path.ts';
import { matchPath } from '../yaml/path-matcher.ts';
import { printYaml } from '../yaml/print.ts';
import { indentedJson, sortedJson } from '../yaml/sorted-json.ts';

/** Returns false if the path does not lead into such text, or to nothing in it; nothing was changed then. */
export function setInText(
  object: YamlNode,
  value: YamlNode,
  path: readonly string[],
  create: NodeKind | undefined,
): boolean {
  const found = findText(object, path);
  if (found === undefined) return false;
  const { text, inner, rest } = found;
  try {
    const fields = matchPath(inner, rest, create) ?? [];
    if (fields.length === 0) return false;
    for (const field of fields) {
      if (field.kind === 'scalar') field.value = value.value;
      else become(field, value);
    }
    text.value = serialize(inner, text.value);
    return true;
  } catch {
    return false;
  }
}

interface FoundText {
  readonly text: YamlNode;
  readonly inner: YamlNode;
  readonly rest: readonly string[];
}

function findText(object: YamlNode, path: readonly string[]): FoundText | undefined {
  for (let length = 1; length < path.length; length++) {
    try {
      const text = lookup(object, path.slice(0, length));
      if (text?.kind !== 'scalar') continue;
      const inner = parseYaml(text.value);
      if (inner !== undefined) return { text, inner, rest: path.slice(length) };
    } catch {
      // Text that cannot be parsed or followed is not structured text.
    }
  }
  return undefined;
}

function serialize(inner: YamlNode, before: string): string {
  const first = before.trim()[0];
  if (first !== '{' && first !== '[') return printYaml(inner).trim();
  const json = toJson(inner);
  return before.includes('\n') && before.includes('  ') ? indentedJson(json) : sortedJson(json);
}
