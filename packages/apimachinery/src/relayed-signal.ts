/** Signals that many operations listen to at a time. */

const relays = new WeakMap<AbortSignal, AbortSignal>();

/**
 * A signal of ours that is aborted with the given one, on which there is one listener however many operations it is for.
 * Node 20 takes more than ten on the signal of a caller for a leak and warns of it; the limit of that signal is not ours
 * to change. The relay lives as long as the signal.
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
  // Layers hand signals on; a relay needs no other.
  relays.set(relay.signal, relay.signal);
  return relay.signal;
}
