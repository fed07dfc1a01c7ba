/** Caches external answers for as long as their records allow, up to a maximum. */

import type { Clock } from '@coxswain/apimachinery';
import { responseCode, type DnsResponse, type DnsRecord, type Question } from '../message.ts';
import { recordTtl } from '../zone/answer.ts';

/** As in CoreDNS' cache. */
const answersMax = 9984;

type Resolve = (question: Question) => Promise<DnsResponse | undefined>;

interface Kept {
  readonly answer: DnsResponse;
  readonly untilMs: number;
}

/** Identical questions in progress share one query. */
export function cachedAnswers(resolve: Resolve, clock: Clock): Resolve {
  const kept = new Map<string, Kept>();
  const underWay = new Map<string, Promise<DnsResponse | undefined>>();
  const ask = async (key: string, question: Question): Promise<DnsResponse | undefined> => {
    const answer = await resolve(question);
    const ttl = answer === undefined ? 0 : secondsToKeep(answer);
    if (answer === undefined || ttl === 0) return answer;
    for (const oldest of kept.keys()) {
      if (kept.size < answersMax) break;
      kept.delete(oldest);
    }
    kept.set(key, { answer, untilMs: clock.now() + ttl * 1000 });
    return withTtl(answer, ttl);
  };
  return (question) => {
    const key = `${question.type} ${question.name.toLowerCase()}`;
    const known = kept.get(key);
    const leftMs = known === undefined ? 0 : known.untilMs - clock.now();
    if (known !== undefined && leftMs > 0)
      return Promise.resolve(withTtl(known.answer, Math.ceil(leftMs / 1000)));
    kept.delete(key);
    let asking = underWay.get(key);
    if (asking === undefined) {
      asking = ask(key, question).finally(() => underWay.delete(key));
      underWay.set(key, asking);
    }
    return asking;
  };
}

/** The shortest TTL of the records; for a negative answer, that of the SOA (RFC 2308). Failures are not cached. */
function secondsToKeep({ code, answers, authorities = [], truncated }: DnsResponse): number {
  if (truncated === true || (code !== responseCode.noError && code !== responseCode.nameError)) return 0;
  const records = answers.length > 0 ? answers : authorities;
  if (records.length === 0) return 0;
  return Math.min(recordTtl, ...records.map(({ ttl }) => ttl));
}

function withTtl(answer: DnsResponse, ttl: number): DnsResponse {
  const shortened = (records: readonly DnsRecord[]): readonly DnsRecord[] =>
    records.map((record) => ({ ...record, ttl }));
  return {
    ...answer,
    answers: shortened(answer.answers),
    ...(answer.authorities === undefined ? {} : { authorities: shortened(answer.authorities) }),
    ...(answer.additionals === undefined ? {} : { additionals: shortened(answer.additionals) }),
  };
}
