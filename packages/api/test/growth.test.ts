/** The cost of validating an object is linear in its size, not quadratic, whichever of its lists is long. */
import { applyDefaults, decodeValue, type Kind, type ValidationContext } from '@coxswain/schema';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { groupVersionDirectories, kindsOf } from '../src/group-versions.ts';
import { validateCreate, validateSubresourceUpdate, validateUpdate } from './object-validation.ts';
import { countedWork, type WorkCounter } from './counted-work.ts';
import { longObject, longPlaces, type LongForm, type LongPlace } from './long-list.ts';

type AnyKind = Kind<never, never>;

const kinds = groupVersionDirectories
  .flatMap((directory) => kindsOf(directory))
  .filter(({ names }) => names !== undefined);
const context: ValidationContext = {
  nowMs: 0,
  allowPrivileged: false,
  minCompatibility: 35,
  enabled: () => true,
};
const forms: readonly LongForm[] = [true, false].flatMap((distinct) =>
  [true, false].map((full) => ({ distinct, full })),
);

let counter: WorkCounter;
beforeAll(async () => void (counter = await countedWork(/\/packages\/api\/src\//)));
afterAll(() => counter.stop());

function validated({ kind, path }: LongPlace, count: number, form: LongForm): () => void {
  const make = () => {
    const object = decodeValue(kind.type, longObject({ kind, path }, count, form)).object as never;
    applyDefaults(kind.type, object);
    for (const fill of (kind as AnyKind).behaviour.defaults ?? []) fill(object, 0);
    return object;
  };
  const [object, old] = [make(), make()];
  const any = kind as AnyKind;
  return () => {
    validateCreate(any, object, context);
    // Stored objects have no duplicates.
    if (!form.distinct) return;
    validateUpdate(any, object, old, context);
    validateSubresourceUpdate(any, 'status', object, old, context);
    any.behaviour.warnings?.(object, old, context);
  };
}

const [few, many] = [50, 200];
/** The factor by which the cost may grow with the number of items, with a margin for constant costs. */
const growthMax = (many / few) * 1.6;
const workFree = 20_000;

test('validation', async () => {
  const grown: string[] = [];
  for (const place of longPlaces(kinds)) {
    for (const form of forms) {
      const costOf = async (count: number) => counter.count(validated(place, count, form));
      const cost = await costOf(many);
      if (cost < workFree) continue;
      const less = await costOf(few);
      if (cost > less * growthMax + workFree)
        grown.push(
          `${place.kind.apiVersion} ${place.kind.kind} ${place.path.join('.')} ${JSON.stringify(form)}: ${less} → ${cost}`,
        );
    }
  }
  expect(grown).toEqual([]);
}, 300_000);
