/** Parses text into nodes, using js-yaml for the syntax. */
import {
  EVENT_ID,
  SCALAR_STYLE,
  type Event,
  type MappingEvent,
  type ScalarEvent,
  type SequenceEvent,
} from 'js-yaml';
import { YamlError, scalarText, yamlEvents } from '@coxswain/apimachinery/yaml/read.ts';
import { emptyNode, type NodeStyle, type YamlNode } from './node.ts';
import { impliedTag } from './resolve.ts';

/**
 * The first document; undefined if the text has none.
 * @throws YamlError in the words of go-yaml
 */
export function parseYaml(given: string): YamlNode | undefined {
  const { text, events } = yamlEvents(given);
  const anchors = new Map<string, YamlNode>();
  const open: YamlNode[] = [];
  for (const event of events.slice(1)) {
    if (event.type === EVENT_ID.DOCUMENT) return undefined;
    if (event.type === EVENT_ID.POP) {
      const closed = open.pop();
      if (closed === undefined) return undefined;
      if (open.length === 0) return closed;
      continue;
    }
    const node = nodeOf(text, event, anchors);
    open.at(-1)?.content.push(node);
    if (event.type === EVENT_ID.MAPPING || event.type === EVENT_ID.SEQUENCE) open.push(node);
    else if (open.length === 0) return node;
  }
  return undefined;
}

type NodeEvent = Exclude<Event, { type: typeof EVENT_ID.DOCUMENT } | { type: typeof EVENT_ID.POP }>;

function nodeOf(text: string, event: NodeEvent, anchors: Map<string, YamlNode>): YamlNode {
  const anchor = text.slice(event.anchorStart, Math.max(event.anchorStart, event.anchorEnd));
  if (event.type === EVENT_ID.ALIAS) {
    const alias = anchors.get(anchor);
    if (alias === undefined) throw new YamlError(`yaml: unknown anchor '${anchor}' referenced`);
    return { ...emptyNode('alias'), value: anchor, alias };
  }
  const node = event.type === EVENT_ID.SCALAR ? scalarNode(text, event) : collectionNode(text, event);
  node.anchor = anchor;
  if (anchor !== '') anchors.set(anchor, node);
  return node;
}

function collectionNode(text: string, event: MappingEvent | SequenceEvent): YamlNode {
  const isMapping = event.type === EVENT_ID.MAPPING;
  const node = emptyNode(isMapping ? 'mapping' : 'sequence');
  node.tag = tagText(text, event) || (isMapping ? '!!map' : '!!seq');
  const opening = 'start' in event ? text[event.start] : '';
  if (opening === '{' || opening === '[') node.style = 'flow';
  return node;
}

function scalarNode(text: string, event: ScalarEvent): YamlNode {
  const node = emptyNode('scalar');
  node.value = scalarText(text, event);
  node.style = styles[event.style] ?? 'plain';
  node.tag = tagText(text, event) || (node.style === 'plain' ? impliedTag(node.value) : '!!str');
  return node;
}

const styles: Readonly<Record<number, NodeStyle>> = {
  [SCALAR_STYLE.PLAIN]: 'plain',
  [SCALAR_STYLE.SINGLE_QUOTED]: 'single',
  [SCALAR_STYLE.DOUBLE_QUOTED]: 'double',
  [SCALAR_STYLE.LITERAL_BLOCK]: 'literal',
  [SCALAR_STYLE.FOLDED_BLOCK]: 'folded',
};

function tagText(text: string, event: { tagStart: number; tagEnd: number }): string {
  const tag = event.tagEnd > event.tagStart ? text.slice(event.tagStart, event.tagEnd) : '';
  return tag.replace(/^!<tag:yaml\.org,2002:(.*)>$/, '!!$1');
}
