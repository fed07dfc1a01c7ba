/**
 * Field selectors of a version other than the stored one, when conversion is asynchronous: they are applied to
 * converted objects, not in the cache.
 */
import { fieldSelectorOf, type FieldSelector } from '@coxswain/apimachinery/field-selector.ts';
import type { Kind } from '@coxswain/schema';
import type { ListOptions } from '../rest/options.ts';
import type { Served, ServedEvent, ServedList, ServedWatch } from '../rest/served.ts';

export interface ConvertedSelection {
  /** The options for the cache: without conditions that need converted objects. */
  readonly stored: ListOptions;
  /** The remaining conditions; undefined when there are none. */
  readonly matches: ((converted: Served) => boolean) | undefined;
}

/** @param kind the kind that objects are converted to */
export function convertedSelection(options: ListOptions, kind: Kind): ConvertedSelection {
  const [inCache, later] = [true, false].map((isStored) =>
    fieldSelectorOf(options.fieldSelector.terms.filter(({ field }) => isEverywhere(field) === isStored)),
  ) as [FieldSelector, FieldSelector];
  if (later.everything) return { stored: options, matches: undefined };
  const fields = kind.behaviour.selectableFields ?? {};
  return {
    stored: { ...options, fieldSelector: inCache },
    matches: ({ object }) => later.matches((field) => fields[field]?.(object as never) ?? ''),
  };
}

/** Conversions don't change these fields. */
const isEverywhere = (field: string): boolean => field === 'metadata.name' || field === 'metadata.namespace';

/** Pages may be shorter than the limit, and the number of remaining objects is unknown. */
export function selectedList(list: ServedList, { matches }: ConvertedSelection): ServedList {
  if (matches === undefined) return list;
  const { remainingItemCount: _, ...rest } = list;
  return { ...rest, items: list.items.filter(matches) };
}

/** Objects that begin to match are sent as added, those that cease to match as deleted. */
export function selectedWatch(watch: ServedWatch, { matches }: ConvertedSelection): ServedWatch {
  if (matches === undefined) return watch;
  const matched = new Map<string, boolean>();
  const selected = (event: ServedEvent): ServedEvent | undefined => {
    if (event.type === 'BOOKMARK' || event.type === 'ERROR') return event;
    const { uid = '' } = event.object.object.metadata;
    // The client may know objects from before the watch.
    const before = event.type === 'ADDED' ? false : (matched.get(uid) ?? true);
    const isMatch = matches(event.object);
    if (event.type === 'DELETED') matched.delete(uid);
    else matched.set(uid, isMatch);
    if (event.type === 'DELETED' || !isMatch) return before ? { ...event, type: 'DELETED' } : undefined;
    return before ? event : { ...event, type: 'ADDED' };
  };
  return {
    get ended() {
      return watch.ended;
    },
    stop: () => watch.stop(),
    reportProgress: () => watch.reportProgress?.(),
    async next() {
      for (;;) {
        const events = await watch.next();
        const left = events?.flatMap((event) => selected(event) ?? []);
        if (left === undefined || left.length > 0) return left;
      }
    },
  };
}
