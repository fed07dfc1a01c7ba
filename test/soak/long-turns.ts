/** Turns of a server's event loop that took longer than any request may hold up the others. */
import type { SoakServer } from './soak-server.ts';

/** Code is compiled in the first turns of a server. */
const turnsOfStart = 5;

/** What the server's own watch has noticed, by what took longest in them. */
export async function longTurns({ send }: Pick<SoakServer, 'send'>): Promise<string[]> {
  const { body } = await send('GET', '/metrics');
  const counted = longTurnsIn(String(body));
  const all = [...counted.values()].reduce((sum, count) => sum + count, 0);
  if (all <= turnsOfStart) return [];
  return Array.from(counted, ([step, count]) => `${count} turns of the event loop over 50 ms: ${step}`);
}

export function longTurnsIn(exposition: string): ReadonlyMap<string, number> {
  const lines = exposition.matchAll(/^coxswain_apiserver_long_turns_total\{step="(.*)"\} (\d+)$/gm);
  return new Map(Array.from(lines, ([, step, count]) => [step!, Number(count)]));
}
