/**
 * What types and fields are for, as the build has put it beside the bundle, or in `dist` of a checkout. Read when
 * it is first asked for. Without the file, as in a checkout that was never built, nothing is described.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { DescriptionOf } from '@coxswain/schema/openapi.ts';

/** By definition, then by member; the empty name is the definition's own. */
type Descriptions = Readonly<Record<string, Readonly<Record<string, string>>>>;

const places = ['descriptions.json', '../../../dist/descriptions.json'].map((place) =>
  path.join(import.meta.dirname, place),
);

export function storedDescriptions(): DescriptionOf {
  let descriptions: Descriptions | undefined;
  return (definition, member = '') => (descriptions ??= readDescriptions())[definition]?.[member];
}

function readDescriptions(): Descriptions {
  for (const place of places) {
    const text = textOf(place);
    if (text !== undefined) return JSON.parse(text) as Descriptions;
  }
  return {};
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (failure) {
    if ((failure as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw failure;
  }
}
