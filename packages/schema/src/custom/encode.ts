/** Encodes custom resources as JSON with sorted members. */

import { writeSorted } from '../json/write.ts';

export interface EncodedWithGap {
  readonly text: string;
  /**
   * The offset at which `"resourceVersion":"N",` can be inserted; -1 when no metadata follow it. For objects with valid
   * names everything before it is ASCII, so that it counts bytes as well.
   */
  readonly gap: number;
}

/** Like `encodeWithVersionGap`: the resourceVersion belongs between ownerReferences and uid. */
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
    // Offsets count bytes later on, so everything before must be ASCII.
    gap: rest === '' || !isAscii(head) ? -1 : head.length,
  };
}

const isAscii = (text: string): boolean => !/[^\0-\x7f]/.test(text);

function partOf(object: Record<string, unknown>, isIn: (name: string) => boolean): string {
  const part = Object.fromEntries(Object.entries(object).filter(([name]) => isIn(name)));
  return writeSorted(part).slice(1, -1);
}
