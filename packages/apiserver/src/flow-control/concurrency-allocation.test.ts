import fc from 'fast-check';
import { expect, test } from 'vitest';
import { allocateSeats } from './concurrency-allocation.ts';

test('unconstrained claims share in proportion to their targets', () => {
  const claims = [10, 20, 30].map((target) => ({ target, lowerBound: 0, upperBound: 1_000 }));

  const { seats, fairFraction } = allocateSeats(120, claims);

  expect(seats.map(Math.round)).toEqual([20, 40, 60]);
  expect(fairFraction).toBeCloseTo(2);
});

test("the others share what a claim's bound takes or leaves", () => {
  const { seats } = allocateSeats(100, [
    { target: 50, lowerBound: 0, upperBound: 10 },
    { target: 10, lowerBound: 10, upperBound: 100 },
    { target: 40, lowerBound: 0, upperBound: 100 },
    { target: 40, lowerBound: 0, upperBound: 100 },
  ]);

  expect(seats[0]).toBe(10);
  expect(seats.slice(1).map(Math.round)).toEqual([10, 40, 40]);
});

test('bounds that don’t admit the sum are an error', () => {
  const claim = { target: 5, lowerBound: 5, upperBound: 10 };

  expect(() => allocateSeats(4, [claim])).toThrow('lower bounds sum to 5, more than 4');
  expect(() => allocateSeats(11, [claim])).toThrow('upper bounds sum to 10, less than 11');
});

const claims = fc.array(
  fc.tuple(fc.nat(100), fc.nat(100), fc.nat(100)).map(([low, more, most]) => ({
    lowerBound: low,
    target: low + more,
    upperBound: low + most,
  })),
  { minLength: 1, maxLength: 8 },
);

test('any claims: the sum is allocated within the bounds, and unbounded claims get the fair fraction', () => {
  fc.assert(
    fc.property(claims, fc.double({ min: 0, max: 1, noNaN: true }), (all, part) => {
      const low = all.reduce((sum, { lowerBound }) => sum + lowerBound, 0);
      const high = all.reduce((sum, { upperBound }) => sum + upperBound, 0);
      const wanted = Math.round(low + part * (high - low));

      const { seats, fairFraction } = allocateSeats(wanted, all);

      expect(seats.reduce((sum, given) => sum + given, 0)).toBeCloseTo(wanted, 3);
      for (const [at, { lowerBound, upperBound, target }] of all.entries()) {
        const given = seats[at]!;
        expect(given).toBeGreaterThanOrEqual(lowerBound - 1e-9);
        expect(given).toBeLessThanOrEqual(upperBound + 1e-9);
        const isBound = given < lowerBound + 1e-6 || given > upperBound - 1e-6;
        if (!isBound) expect(given).toBeCloseTo(fairFraction * Math.max(target, 0.001), 3);
      }
    }),
  );
});
