/** Relays signals that many operations listen to at the same time. */

const relays = new WeakMap<AbortSignal, AbortSignal>();

/**
 * A signal of ours that aborts with the given one, on which there is a single listener for any number of operations.
 * Node 20 takes more than ten listeners on a caller's signal for a leak and prints a warning; the limit of that signal
 * is not ours to change. The relay lives as long as the signal.
 */
export function relayed(signal: AbortSignal): AbortSignal;
export function relayed(signal: AbortSignal | undefined): AbortSignal | undefined;
export function relayed(signal: AbortSignal | undefined): AbortSignal | undefined {
  if (signal === undefined) return undefined;
  const known = relays.get(signal);
  if (known !== undefined) return known;
  const relay = new AbortController();
  if (signal.aborted) relay.abort(signal.reason);
  else signal.addEventListener('abort', () => relay.abort(signal.reason), { once: true });
  relays.set(signal, relay.signal);
  // Layers pass signals on; a relay needs no relay of its own.
  relays.set(relay.signal, relay.signal);
  return relay.signal;
}
