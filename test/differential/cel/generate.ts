/** Random expressions of a wanted type: every function of the libraries comes up, right and wrong arguments alike. */
import type { Random } from '@coxswain/apimachinery';
import { atoms, calls, type ExpressionType } from './vocabulary.ts';

const types = Object.keys(atoms) as ExpressionType[];

/** Nests this deep at most. */
const depthMax = 3;

/** One in so many arguments has another type than the function wants. */
const wrongTypeOdds = 25;

export function generate(random: Random): string {
  return ofType(pick(random, types), random, depthMax);
}

function ofType(type: ExpressionType, random: Random, depth: number): string {
  const candidates = calls.filter(([result]) => result === type);
  if (depth === 0 || candidates.length === 0 || below(random, 4) === 0) return pick(random, atoms[type]);
  const [, template] = pick(random, candidates);
  return template.replace(/\{(\w+)\}/g, (_, wanted: ExpressionType) => {
    const actual = below(random, wrongTypeOdds) === 0 ? pick(random, types) : wanted;
    return ofType(actual, random, depth - 1);
  });
}

const below = (random: Random, end: number): number => Math.floor(random.next() * end);

const pick = <T>(random: Random, values: readonly T[]): T => values[below(random, values.length)]!;
