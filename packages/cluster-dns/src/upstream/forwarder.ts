/** Queries external servers: over UDP, and over TCP if the response was truncated. */

import type { Random } from '@coxswain/apimachinery';
import { readAnswer, writeQuery, type DnsResponse, type Question } from '../message.ts';

export interface UpstreamServer {
  readonly address: string;
  readonly port: number;
}

/** Resolves with the first datagram or message for which `isAnswer` is true; undefined after the time-out. */
export type Exchange = (
  server: UpstreamServer,
  query: Uint8Array,
  isAnswer: (bytes: Uint8Array) => boolean,
) => Promise<Uint8Array | undefined>;

export interface ForwarderOptions {
  readonly servers: readonly UpstreamServer[];
  readonly overUdp: Exchange;
  readonly overTcp: Exchange;
  readonly random: Random;
  /** The id of a query: 16 unpredictable bits. */
  readonly newId: () => number;
}

/** Starts with a random server and continues with the others; undefined if none answered. */
export function forwarder(
  options: ForwarderOptions,
): (question: Question) => Promise<DnsResponse | undefined> {
  const { servers, overUdp, overTcp, random, newId } = options;
  return async (question) => {
    const first = Math.floor(random.next() * servers.length);
    for (let at = 0; at < servers.length; at++) {
      const server = servers[(first + at) % servers.length]!;
      const id = newId();
      const read = (bytes: Uint8Array): DnsResponse | undefined => readAnswer(bytes, id, question);
      const ask = async (exchange: Exchange): Promise<DnsResponse | undefined> => {
        const bytes = await exchange(server, writeQuery(id, question), (some) => read(some) !== undefined);
        return bytes === undefined ? undefined : read(bytes);
      };
      const answer = await ask(overUdp);
      if (answer?.truncated === true) return (await ask(overTcp)) ?? answer;
      if (answer !== undefined) return answer;
    }
    return undefined;
  };
}
