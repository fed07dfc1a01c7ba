/** The line of each value in a YAML document, for messages. */
import { EVENT_ID, type Event } from 'js-yaml';
import { scalarText, yamlEvents } from './read.ts';

/** A value: the line of its key if it has one, counted from 1. */
export interface YamlPlace {
  readonly line: number;
  /** For a mapping. Values from an alias or a merge key are not included. */
  readonly members: Map<string, YamlPlace>;
  /** For a sequence. */
  readonly items: YamlPlace[];
}

/** The first document's value; undefined for an empty text. @throws YamlError */
export function yamlPlaces(given: string): YamlPlace | undefined {
  const { text, events } = yamlEvents(given);
  const lineOf = lineCounter(text);
  const open: OpenValue[] = [];
  let root: YamlPlace | undefined;
  for (const event of events.slice(1)) {
    if (event.type === EVENT_ID.DOCUMENT) break;
    if (event.type === EVENT_ID.POP) {
      if (open.pop() === undefined || open.length === 0) break;
      continue;
    }
    const around = open.at(-1);
    const isKey = around?.isMapping === true && around.key === undefined;
    const isScalar = event.type === EVENT_ID.SCALAR;
    const line = lineOf(startOf(event));
    const place: YamlPlace = { line: around?.key?.line ?? line, members: new Map(), items: [] };
    root ??= place;
    if (isKey) around.key = { name: isScalar ? scalarText(text, event) : '', line };
    else if (around !== undefined) enter(place, around);
    if (event.type === EVENT_ID.MAPPING || event.type === EVENT_ID.SEQUENCE)
      open.push({ place, isMapping: event.type === EVENT_ID.MAPPING, key: undefined });
    else if (around === undefined) break;
  }
  return root;
}

interface OpenValue {
  readonly place: YamlPlace;
  readonly isMapping: boolean;
  /** A key whose value has not been read yet. */
  key: { readonly name: string; readonly line: number } | undefined;
}

function enter(place: YamlPlace, around: OpenValue): void {
  if (!around.isMapping) around.place.items.push(place);
  else if (around.key !== undefined) around.place.members.set(around.key.name, place);
  around.key = undefined;
}

const startOf = (event: Exclude<Event, { type: typeof EVENT_ID.DOCUMENT | typeof EVENT_ID.POP }>): number =>
  event.type === EVENT_ID.SCALAR
    ? event.valueStart
    : event.type === EVENT_ID.ALIAS
      ? event.anchorStart
      : event.start;

/** Offsets arrive in ascending order, so that each line break is passed once. */
function lineCounter(text: string): (offset: number) => number {
  let line = 1;
  let passed = 0;
  return (offset) => {
    for (let at = text.indexOf('\n', passed); at >= 0 && at < offset; at = text.indexOf('\n', passed)) {
      line++;
      passed = at + 1;
    }
    return line;
  };
}
