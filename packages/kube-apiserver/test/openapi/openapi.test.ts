/** Compares the documents that upstream publishes with ours. */
import { expect, test } from 'vitest';
import { differencesOfDocuments } from './difference.ts';
import { recordedDocuments } from './documents.ts';
import { ownDocuments } from './own-documents.ts';

test.each(['default', 'all'] as const)(
  'v2 and every document of v3 have the structure of the original: %s',
  async (name) => {
    const expected = recordedDocuments(name);

    expect(Object.keys(expected.v3).length).toBeGreaterThanOrEqual(47);
    expect(differencesOfDocuments(expected, await ownDocuments(name))).toEqual([]);
  },
);
