/** What a generator decides by chance. */
import type { Random } from '@coxswain/apimachinery';
import type { JsonObject } from './scenario.ts';

export class Choices {
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  chance = (share: number): boolean => this.#random.next() < share;
  whole = (from: number, to: number): number => from + Math.floor(this.#random.next() * (to - from + 1));
  one = <T>(of: readonly T[]): T => of[this.whole(0, of.length - 1)]!;
  times = <T>(from: number, to: number, make: (index: number) => T): T[] =>
    Array.from({ length: this.whole(from, to) }, (_, index) => make(index));
  maybe = (share: number, make: () => JsonObject): JsonObject => (this.chance(share) ? make() : {});
  some = <T>(of: readonly T[], share = 0.5): T[] => of.filter(() => this.chance(share));
  amount = (): number | string => this.one([0, 1, 2, 3, '10%', '25%', '50%', '100%', '150%']);
}
