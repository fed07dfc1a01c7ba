/**
 * The descriptions of types and fields, which the build puts beside the bundle or into `dist` of a checkout; read on
 * first use. Without the file, as in a checkout that was never built, there are no descriptions.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { DescriptionOf } from '@coxswain/schema/openapi.ts';

/** By definition, then by member; the empty name is for the definition itself. */
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
