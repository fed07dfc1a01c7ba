/** Custom resources as JSON: sorted throughout. */

import { writeSorted } from '../json/write.ts';

export interface EncodedWithGap {
  readonly text: string;
  /**
   * Where `"resourceVersion":"N",` fits into the text; -1 when nothing follows it in the metadata. All
   * before it is ASCII for objects with valid names, so that it counts bytes as well.
   */
  readonly gap: number;
}

/** As `encodeWithVersionGap`: the version belongs between ownerReferences and uid. */
export function encodeCustomWithGap(object: unknown): EncodedWithGap {
  const { metadata = {}, ...members } = object as Record<string, unknown>;
  const { resourceVersion: _version, ...meta } = metadata as Record<string, unknown>;
  const before = partOf(members, (name) => name < 'metadata');
  const after = partOf(members, (name) => name > 'metadata');
  const named = partOf(meta, (name) => name < 'resourceVersion');
  const rest = partOf(meta, (name) => name > 'resourceVersion');
  const head = `{${before}${before === '' ? '' : ','}"metadata":{${named}${named !== '' && rest !== '' ? ',' : ''}`;
  return {
    text: `${head}${rest}}${after === '' ? '' : `,${after}`}}`,
    // Offsets count bytes further on, so nothing before may be beyond ASCII.
    gap: rest === '' || !isAscii(head) ? -1 : head.length,
  };
}

const isAscii = (text: string): boolean => !/[^\0-\x7f]/.test(text);

function partOf(object: Record<string, unknown>, isIn: (name: string) => boolean): string {
  const part = Object.fromEntries(Object.entries(object).filter(([name]) => isIn(name)));
  return writeSorted(part).slice(1, -1);
}
