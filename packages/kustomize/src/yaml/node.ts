/**
 * YAML as a tree that keeps what plain data loses: the order of members, tags and styles. Transformers change nodes in
 * place, and a node may occur in several places, as it does upstream.
 */

export type NodeKind = 'mapping' | 'sequence' | 'scalar' | 'alias' | 'none';
export type NodeStyle = 'plain' | 'double' | 'single' | 'literal' | 'folded' | 'flow';

export interface YamlNode {
  kind: NodeKind;
  /** `!!str`, `!!int`, …; empty if it follows from the value. */
  tag: string;
  style: NodeStyle;
  value: string;
  /** Items of a sequence; alternating keys and values of a mapping. */
  content: YamlNode[];
  anchor: string;
  alias?: YamlNode;
}

export const nullTag = '!!null';
export const stringTag = '!!str';
export const mapTag = '!!map';
export const integerTag = '!!int';
export const booleanTag = '!!bool';
export const floatTag = '!!float';

const blank = { tag: '', style: 'plain', value: '', anchor: '' } as const;

/** A scalar whose type follows from its text. */
export const scalar = (value: string, tag = ''): YamlNode => ({
  ...blank,
  kind: 'scalar',
  value,
  tag,
  content: [],
});

/** A scalar that is a string whatever its text. */
export const stringScalar = (value: string): YamlNode => ({
  ...scalar(value, stringTag),
  style: value.includes('\n') ? 'literal' : 'plain',
});

export const emptyNode = (kind: NodeKind): YamlNode => ({ ...blank, kind, content: [] });

/** Copies everything from another node; all places that share this node change. */
export function become(node: YamlNode, other: YamlNode): void {
  const { kind, tag, style, value, content, anchor, alias } = other;
  Object.assign(node, { kind, tag, style, value, content, anchor, alias });
}

export function copyNode(node: YamlNode): YamlNode {
  return { ...node, content: node.content.map(copyNode) };
}

export const isMissingOrNull = (node: YamlNode | undefined): node is undefined =>
  node === undefined || node.tag === nullTag;

/** Null, `{}`, `[]`, or a scalar without text. */
export const isNilOrEmpty = (node: YamlNode | undefined): boolean =>
  node === undefined ||
  node.tag === nullTag ||
  ((node.kind === 'mapping' || node.kind === 'sequence') && node.content.length === 0);

export const isEmptyMap = (node: YamlNode | undefined): boolean =>
  isMissingOrNull(node) || ((node as YamlNode).kind === 'mapping' && (node as YamlNode).content.length === 0);

export const isStringNode = (node: YamlNode): boolean =>
  node.kind === 'scalar' && (node.tag === stringTag || node.tag === '');

export const valueOf = (node: YamlNode | undefined): string =>
  isMissingOrNull(node) ? '' : (node as YamlNode).value;
