/**
 * Chooses the queues of a flow. Two flows rarely share all their queues, so a flow that fills its own leaves most
 * others at least one free queue.
 */

/**
 * Deals `handSize` different numbers below `deckSize`, always the same for a flow. Validation of priority levels limits
 * both to what 60 bits of a hash can distinguish.
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

/** The card that is preceded by `nth` cards once those already dealt are removed from the deck. */
function nthNotIn(dealt: readonly number[], nth: number): number {
  let card = nth;
  for (const taken of dealt.toSorted((a, b) => a - b)) if (card >= taken) card++;
  return card;
}

/** 64-bit FNV-1a with a final mix, so that the low bits depend on all bits. */
function hashOf(text: string): bigint {
  let hash = 0xcbf29ce484222325n;
  for (let at = 0; at < text.length; at++) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(text.charCodeAt(at))) * 0x100000001b3n);
  }
  hash = BigInt.asUintN(64, (hash ^ (hash >> 33n)) * 0xff51afd7ed558ccdn);
  hash = BigInt.asUintN(64, (hash ^ (hash >> 33n)) * 0xc4ceb9fe1a85ec53n);
  return hash ^ (hash >> 33n);
}
