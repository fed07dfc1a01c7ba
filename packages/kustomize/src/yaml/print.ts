/** Prints nodes as go-yaml v3 does with an indentation of two and compact lists. */
import { writeYaml } from '@coxswain/apimachinery/yaml/write.ts';
import { stringTag, type YamlNode } from './node.ts';
import { impliedTag, tagOfKind } from './resolve.ts';

/** Ends with a line break. */
export function printYaml(node: YamlNode): string {
  return `${block(node, 0, false).replace(/^ /, '').replace(/^\n/, '')}\n`;
}

/** The text after a key or a dash, including the separator, without a final line break. */
function block(node: YamlNode, indent: number, isValue: boolean): string {
  if (node.kind === 'alias') return ` *${node.value}`;
  const anchor = node.anchor === '' ? '' : ` &${node.anchor}`;
  if (node.kind === 'none') return `${anchor} null`;
  if (node.kind === 'scalar') return `${anchor}${scalarLines(node, indent)}`;
  if (node.content.length === 0) return `${anchor} ${node.kind === 'mapping' ? '{}' : '[]'}`;
  if (node.style === 'flow') return `${anchor} ${flow(node)}`;
  return (
    anchor + (node.kind === 'mapping' ? members(node, indent) : items(node, isValue ? indent - 2 : indent))
  );
}

function members(node: YamlNode, indent: number): string {
  const lines: string[] = [];
  for (let index = 0; index < node.content.length; index += 2) {
    const key = scalarLines(node.content[index]!, indent).trimStart();
    lines.push(`\n${' '.repeat(indent)}${key}:${block(node.content[index + 1]!, indent + 2, true)}`);
  }
  return lines.join('');
}

function items(node: YamlNode, indent: number): string {
  return node.content
    .map((item) => {
      const text = block(item, indent + 2, false);
      // The first member follows the dash.
      const joined = text.startsWith('\n') ? ` ${text.slice(1).trimStart()}` : text;
      return `\n${' '.repeat(indent)}-${joined}`;
    })
    .join('');
}

function scalarLines(node: YamlNode, indent: number): string {
  const text = scalarText(node);
  return text === '' ? '' : ` ${text.replaceAll(/\n(?!$)/g, `\n${' '.repeat(indent)}`)}`;
}

function scalarText(node: YamlNode): string {
  const { value, style } = node;
  const implied = impliedTag(value);
  const keepsTag = node.tag !== '' && node.tag !== stringTag && node.tag !== implied;
  const prefix = keepsTag && Object.values<string>(tagOfKind).includes(node.tag) ? `${node.tag} ` : '';
  if (style === 'double') return `${prefix}${doubleQuoted(value)}`;
  if (style === 'single') return `${prefix}'${value.replaceAll("'", "''")}'`;
  if (value.includes('\n') || style === 'literal' || style === 'folded') return literal(value);
  if (node.tag === stringTag && implied !== stringTag) return doubleQuoted(value);
  if (value === '') return prefix.trim();
  // Text that cannot be unquoted is quoted like any string.
  return implied === stringTag
    ? writeYaml(value)
        .trimEnd()
        .replace(/^"(y|n|yes|no|on|off)"$/i, '$1')
    : prefix + value;
}

const doubleQuoted = (value: string): string => JSON.stringify(value);

function literal(value: string): string {
  if (value.trim() === '' || /[ \t]\n/.test(value)) return doubleQuoted(value);
  const chomping = value.endsWith('\n\n') ? '+' : value.endsWith('\n') ? '' : '-';
  const lines = value.replace(/\n$/, '').split('\n');
  return `|${chomping}\n${lines.map((line) => (line === '' ? '' : `  ${line}`)).join('\n')}`.replace(
    /\n {2}/g,
    '\n',
  );
}

function flow(node: YamlNode): string {
  if (node.kind === 'scalar') return scalarText(node);
  if (node.kind === 'alias') return `*${node.value}`;
  if (node.kind === 'sequence') return `[${node.content.map(flow).join(', ')}]`;
  const pairs: string[] = [];
  for (let index = 0; index < node.content.length; index += 2) {
    pairs.push(`${flow(node.content[index]!)}: ${flow(node.content[index + 1]!)}`);
  }
  return `{${pairs.join(', ')}}`;
}
