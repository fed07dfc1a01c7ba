/** kubectl creates strategic patches from the server's OpenAPI; the server merges them by its own types. */

import { applyStrategicMergePatch, decodeValue, encode } from '@coxswain/schema';
import { definitionName, definitionsOf } from '@coxswain/schema/openapi.ts';
import { groupVersionDirectories, kindsOf } from '@coxswain/api/group-versions.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { randomObject } from '../../../api/test/random-object.ts';
import { openApiPatchSchema, type OpenApiSchemas } from './patch-schema.ts';
import { threeWayStrategicPatch } from './three-way.ts';

const stored = groupVersionDirectories
  .flatMap((directory) => kindsOf(directory))
  .filter(({ names }) => names);

describe.each(stored.map((kind) => [`${kind.apiVersion} ${kind.kind}`, kind] as const))(
  '%s',
  (_name, kind) => {
    const schemas = definitionsOf([kind.type], { dialect: 'v3' }) as OpenApiSchemas;
    const schema = openApiPatchSchema(schemas, schemas[definitionName(kind.type.name)]);
    const plain = (seed: number) =>
      JSON.parse(encode(kind.type, decodeValue(kind.type, randomObject(kind, seed)).object));

    test("the server's merge of the created patch leads to the new object", () => {
      fc.assert(
        fc.property(fc.integer(), fc.integer(), (one, other) => {
          const [from, to] = [plain(one), plain(other)];
          const result = applyStrategicMergePatch(
            kind.type,
            from,
            threeWayStrategicPatch(from, to, from, schema),
          );
          expect(encode(kind.type, decodeValue(kind.type, result).object)).toBe(
            encode(kind.type, decodeValue(kind.type, to).object),
          );
        }),
        { seed: 20, numRuns: 4 },
      );
    });
  },
);
