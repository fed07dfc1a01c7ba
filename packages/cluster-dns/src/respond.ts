/** From the bytes of a question to the bytes of its answer. */

import type { Random } from '@coxswain/apimachinery';
import {
  readQuery,
  responseCode,
  udpBytesDefault,
  udpBytesMax,
  writeAnswer,
  writeTruncated,
  type DnsAnswer,
  type DnsQuery,
  type DnsRecord,
  type Question,
} from './message.ts';
import type { Respond } from './serving/listen.ts';
import { answerFromZone, type Zone } from './zone/answer.ts';

/** What goes wrong on the way is told to `onError` and answered as a failure of the server. */
export function responder(zone: Zone, random: Random, onError: (error: unknown) => void): Respond {
  const answerTo = async (question: Question): Promise<DnsAnswer> =>
    (await answerFromZone(question, zone)) ?? (await zone.resolve(question)) ?? failed;
  return async (bytes, isUdp) => {
    const query = readQuery(bytes);
    if (query === undefined) return undefined;
    if ('refusedWith' in query) return writeAnswer(query, { ...failed, code: query.refusedWith });
    const answer = await answerTo(query.question).catch((error: unknown) => {
      onError(error);
      return failed;
    });
    const encoded = writeAnswer(query, { ...answer, answers: shuffledAddresses(answer.answers, random) });
    return isUdp && encoded.length > bytesFor(query) ? writeTruncated(query, answer) : encoded;
  };
}

const failed: DnsAnswer = { code: responseCode.serverFailure, authoritative: false, answers: [] };

const bytesFor = (query: DnsQuery): number => Math.min(query.udpBytesMax ?? udpBytesDefault, udpBytesMax);

/** Clients take the first address: each gets its turn. Aliases stay before what they stand for. */
function shuffledAddresses(records: readonly DnsRecord[], random: Random): readonly DnsRecord[] {
  const addresses = records.filter(isAddress);
  if (addresses.length < 2) return records;
  for (let at = addresses.length - 1; at > 0; at--) {
    const other = Math.floor(random.next() * (at + 1));
    [addresses[at], addresses[other]] = [addresses[other]!, addresses[at]!];
  }
  return [...records.filter((record) => !isAddress(record)), ...addresses];
}

const isAddress = ({ type }: DnsRecord): boolean => type === 'A' || type === 'AAAA';
