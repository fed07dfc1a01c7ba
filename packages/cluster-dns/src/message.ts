/** DNS messages (RFC 1035, EDNS of RFC 6891) and their encoding; the only module that uses the DNS library. */

import packet, { type Answer, type DecodedPacket } from 'dns-packet';

export type RecordType = 'A' | 'AAAA' | 'CNAME' | 'NS' | 'PTR' | 'SOA' | 'SRV' | 'TXT';

export interface StartOfAuthority {
  readonly mname: string;
  readonly rname: string;
  readonly serial: number;
  readonly refresh: number;
  readonly retry: number;
  readonly expire: number;
  readonly minimum: number;
}

export interface ServiceLocation {
  readonly priority: number;
  readonly weight: number;
  readonly port: number;
  readonly target: string;
}

/** Names have no trailing dot; `ttl` is in seconds. */
export interface DnsRecord {
  readonly name: string;
  readonly type: string;
  readonly ttl: number;
  readonly data: unknown;
}

export interface Question {
  readonly name: string;
  /** `A`, `SRV`, …, or `UNKNOWN_4711`. */
  readonly type: string;
}

/** RFC 1035, 4.1.1. */
export const responseCode = {
  noError: 0,
  formatError: 1,
  serverFailure: 2,
  nameError: 3,
  notImplemented: 4,
  refused: 5,
};

export interface DnsQuery {
  readonly id: number;
  readonly question: Question;
  readonly wantsRecursion: boolean;
  /** The maximum UDP response in bytes that the client accepts; undefined without EDNS. */
  readonly udpBytesMax: number | undefined;
}

export interface DnsResponse {
  readonly code: number;
  readonly authoritative: boolean;
  readonly answers: readonly DnsRecord[];
  readonly authorities?: readonly DnsRecord[];
  readonly additionals?: readonly DnsRecord[];
  readonly truncated?: boolean;
}

/** Not a single question of class IN: the response code with which to reject it; `id` is all that is known. */
export interface RefusedQuery {
  readonly id: number;
  readonly refusedWith: number;
}

/** Undefined for data that is not a query and gets no response. */
export function readQuery(bytes: Uint8Array): DnsQuery | RefusedQuery | undefined {
  if (bytes.length < headerBytes || (bytes[2]! & responseBit) !== 0) return undefined;
  const id = (bytes[0]! << 8) | bytes[1]!;
  const decoded = decode(bytes);
  if (decoded === undefined) return { id, refusedWith: responseCode.formatError };
  if ((bytes[2]! & opcodeBits) !== 0) return { id, refusedWith: responseCode.notImplemented };
  const [question, ...others] = decoded.questions ?? [];
  if (question === undefined || others.length > 0) return { id, refusedWith: responseCode.formatError };
  if ((question.class ?? 'IN') !== 'IN') return { id, refusedWith: responseCode.refused };
  const options = (decoded.additionals as readonly TypedRecord[] | undefined)?.find(isOptions);
  return {
    id,
    question: { name: question.name, type: question.type },
    wantsRecursion: decoded.flag_rd,
    udpBytesMax: options === undefined ? undefined : Math.max(options.udpPayloadSize, udpBytesDefault),
  };
}

/** The maximum UDP response for clients without EDNS (RFC 1035, 2.3.4). */
export const udpBytesDefault = 512;
/** The maximum UDP message in both directions, which avoids fragments on most networks. */
export const udpBytesMax = 1232;

export function writeAnswer(query: DnsQuery | RefusedQuery, answer: DnsResponse): Uint8Array {
  const question = 'question' in query ? query.question : undefined;
  const speaksEdns = 'question' in query && query.udpBytesMax !== undefined;
  return packet.encode({
    id: query.id,
    type: 'response',
    flags:
      (answer.authoritative ? packet.AUTHORITATIVE_ANSWER : 0) |
      (answer.truncated === true ? packet.TRUNCATED_RESPONSE : 0) |
      ('question' in query && query.wantsRecursion ? packet.RECURSION_DESIRED : 0) |
      packet.RECURSION_AVAILABLE |
      answer.code,
    questions: question === undefined ? [] : [{ ...question, class: 'IN' } as never],
    answers: (answer.answers ?? []) as Answer[],
    authorities: (answer.authorities ?? []) as Answer[],
    additionals: [...(answer.additionals ?? []), ...(speaksEdns ? [ednsOptions] : [])] as Answer[],
  });
}

/** The message without its records, for a client that should retry over TCP. */
export const writeTruncated = (query: DnsQuery, { code, authoritative }: DnsResponse): Uint8Array =>
  writeAnswer(query, { code, authoritative, answers: [], truncated: true });

export const writeQuery = (id: number, question: Question): Uint8Array =>
  packet.encode({
    id,
    type: 'query',
    flags: packet.RECURSION_DESIRED,
    questions: [{ ...question, class: 'IN' } as never],
    additionals: [ednsOptions as never],
  });

/** Undefined if it is not the response to that question. */
export function readAnswer(bytes: Uint8Array, id: number, question: Question): DnsResponse | undefined {
  const decoded = decode(bytes);
  if (decoded?.type !== 'response' || decoded.id !== id) return undefined;
  const asked = decoded.questions?.[0];
  if (asked?.type !== question.type || asked.name.toLowerCase() !== question.name.toLowerCase())
    return undefined;
  return {
    code: (bytes[3] ?? 0) & codeBits,
    authoritative: decoded.flag_aa,
    truncated: decoded.flag_tc,
    answers: (decoded.answers ?? []) as DnsRecord[],
    authorities: (decoded.authorities ?? []) as DnsRecord[],
    additionals: (decoded.additionals ?? []).filter((record) => !isOptions(record)) as DnsRecord[],
  };
}

const headerBytes = 12;
const responseBit = 0x80;
const opcodeBits = 0x78;
const codeBits = 0xf;

interface TypedRecord {
  readonly type: string;
}
interface EdnsOptions extends TypedRecord {
  readonly type: 'OPT';
  readonly udpPayloadSize: number;
}

const ednsOptions = { type: 'OPT', name: '.', udpPayloadSize: udpBytesMax, flags: 0, options: [] };

const isOptions = (record: TypedRecord): record is EdnsOptions => record.type === 'OPT';

function decode(bytes: Uint8Array): DecodedPacket | undefined {
  try {
    return packet.decode(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  } catch {
    return undefined;
  }
}
