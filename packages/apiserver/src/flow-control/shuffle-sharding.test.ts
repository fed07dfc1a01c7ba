import fc from 'fast-check';
import { expect, test } from 'vitest';
import { dealHand } from './shuffle-sharding.ts';

test('a hand has the requested number of different cards of the deck', () => {
  fc.assert(
    fc.property(
      fc.string(),
      fc.integer({ min: 1, max: 128 }),
      fc.integer({ min: 1, max: 8 }),
      (flow, deck, hand) => {
        const handSize = Math.min(deck, hand);
        const dealt = dealHand('schema', flow, deck, handSize);

        expect(new Set(dealt).size).toBe(handSize);
        expect(dealt.every((card) => card >= 0 && card < deck)).toBe(true);
      },
    ),
  );
});

test('the same flow always has the same hand', () => {
  expect(dealHand('a', 'alice', 64, 6)).toEqual(dealHand('a', 'alice', 64, 6));
  expect(dealHand('a', 'alice', 64, 6)).not.toEqual(dealHand('b', 'alice', 64, 6));
});

test('cards are dealt evenly, and hands of different flows are rarely equal', () => {
  const deck = 64;
  const dealt = Array.from({ length: deck }, () => 0);
  const hands = new Set<string>();
  const flows = 4_000;
  for (let flow = 0; flow < flows; flow++) {
    const hand = dealHand('schema', `user-${flow}`, deck, 6);
    for (const card of hand) dealt[card]!++;
    hands.add(hand.toSorted((a, b) => a - b).join());
  }
  const expected = (flows * 6) / deck;

  expect(Math.min(...dealt)).toBeGreaterThan(expected * 0.75);
  expect(Math.max(...dealt)).toBeLessThan(expected * 1.25);
  expect(hands.size).toBeGreaterThan(flows - 5);
});
