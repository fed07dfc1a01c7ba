/**
 * Which queues the requests of a flow may go to. Two flows seldom have all their queues in common: one that
 * fills its own leaves most others at least one that is free.
 */

/**
 * `handSize` different numbers below `deckSize`, the same for the same flow. Both are bounded by the
 * validation of priority levels to what 60 bits of a hash can tell apart.
 */
export function dealHand(
  schema: string,
  distinguisher: string,
  deckSize: number,
  handSize: number,
): number[] {
  let entropy = hashOf(`${schema}\0${distinguisher}`);
  const hand: number[] = [];
  for (let dealt = 0; dealt < handSize; dealt++) {
    const left = BigInt(deckSize - dealt);
    hand.push(nthNotIn(hand, Number(entropy % left)));
    entropy /= left;
  }
  return hand;
}

/** The card that has `nth` cards before it when those dealt are taken out of the deck. */
function nthNotIn(dealt: readonly number[], nth: number): number {
  let card = nth;
  for (const taken of dealt.toSorted((a, b) => a - b)) if (card >= taken) card++;
  return card;
}

/** FNV-1a over 64 bits, its bits mixed once more so that the low ones depend on all. */
function hashOf(text: string): bigint {
  let hash = 0xcbf29ce484222325n;
  for (let at = 0; at < text.length; at++) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(text.charCodeAt(at))) * 0x100000001b3n);
  }
  hash = BigInt.asUintN(64, (hash ^ (hash >> 33n)) * 0xff51afd7ed558ccdn);
  hash = BigInt.asUintN(64, (hash ^ (hash >> 33n)) * 0xc4ceb9fe1a85ec53n);
  return hash ^ (hash >> 33n);
}
