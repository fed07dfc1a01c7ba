/** From the bytes of a query to the bytes of the response. */

import { runStep, scopeOf, type Random, type StepObserver } from '@coxswain/apimachinery';
import {
  readQuery,
  responseCode,
  udpBytesDefault,
  udpBytesMax,
  writeAnswer,
  writeTruncated,
  type DnsResponse,
  type DnsQuery,
  type DnsRecord,
  type Question,
} from './message.ts';
import type { Respond } from './serving/listen.ts';
import { answerFromZone, type Zone } from './zone/answer.ts';

/** Failures are reported to `onError` and answered with SERVFAIL. */
export function responder(
  zone: Zone,
  random: Random,
  onError: (error: unknown) => void,
  observer?: StepObserver,
): Respond {
  const answerTo = (question: Question): Promise<DnsResponse> =>
    observedAnswer(question, observer, async (scope) => {
      const own = runStep(scope, 'zone', () => answerFromZone(question, zone), undefined, answerFromZone);
      const found = await own;
      if (found !== undefined) return found;
      const forwarded = runStep(scope, 'upstream', () => zone.resolve(question), undefined, zone.resolve);
      return (await forwarded) ?? failed;
    });
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

function observedAnswer(
  question: Question,
  observer: StepObserver | undefined,
  answerTo: (scope: StepObserver | undefined) => Promise<DnsResponse>,
): Promise<DnsResponse> {
  const scope = scopeOf(observer, () => ({
    kind: 'request',
    component: 'cluster-dns',
    name: `${question.type} ${question.name}`,
  }));
  if (scope === undefined) return answerTo(undefined);
  return runStep(scope, 'answer', async () => {
    const answer = await answerTo(scope);
    scope.note?.({ code: answer.code, answers: answer.answers });
    return answer;
  });
}

const failed: DnsResponse = { code: responseCode.serverFailure, authoritative: false, answers: [] };

const bytesFor = (query: DnsQuery): number => Math.min(query.udpBytesMax ?? udpBytesDefault, udpBytesMax);

/** Clients use the first address, so the order rotates. Aliases stay before their targets. */
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
