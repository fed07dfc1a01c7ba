/**
 * Encodes small transactions in nft syntax as the batch of netlink messages that nft would send: elements of sets and
 * maps, plain chains, and rules that direct packets to endpoints.
 */
import { aligned, joined, nested, text } from './attributes.ts';
import { elementAttributes } from './elements.ts';
import { ruleExpressions } from './rules.ts';

/** netlink.h, nfnetlink.h, nf_tables.h */
const batch = { begin: 16, end: 17 } as const;
const subsystem = 10;
const message = {
  newChain: 3,
  deleteChain: 5,
  newRule: 6,
  deleteRule: 8,
  newElement: 12,
  deleteElement: 14,
} as const;
const flag = { request: 1, create: 0x400, append: 0x800 } as const;
const families: Readonly<Record<string, number>> = { ip: 2, inet: 1, ip6: 10 };
const elements = { table: 1, set: 2, list: 3 } as const;
const chainAttribute = { table: 1, name: 3 } as const;
const ruleAttribute = { table: 1, chain: 2, expressions: 4 } as const;
const headLength = 16;
const familyHeadLength = 4;

const form =
  /^(?<verb>add|delete|flush) (?<kind>element|chain|rule) (?<family>ip6?|inet) (?<table>[\w-]+) (?<name>\S+)(?: (?<rest>.+))?$/;

interface Command {
  readonly verb: string;
  readonly family: string;
  readonly table: string;
  readonly name: string;
  readonly rest: string;
}

interface Message {
  readonly type: number;
  readonly flags: number;
  readonly family: number;
  readonly attributes: readonly Uint8Array[];
}

/** Undefined if it contains syntax that only nft supports, or is too long. */
export function encodeTransaction(commands: string): Uint8Array | undefined {
  try {
    const messages: Message[] = [];
    for (const line of commands.split('\n')) {
      if (line === '') continue;
      const encoded = encodeCommand(line);
      if (encoded === undefined) return undefined;
      messages.push(encoded);
    }
    return joined([
      frame({ type: batch.begin, flags: flag.request, family: 0, attributes: [] }, 0),
      ...messages.map((each, index) => frame({ ...each, type: (subsystem << 8) | each.type }, index + 1)),
      frame({ type: batch.end, flags: flag.request, family: 0, attributes: [] }, messages.length + 1),
    ]);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

const encoders: Readonly<
  Record<string, (command: Command, family: number) => Omit<Message, 'family'> | undefined>
> = {
  'add element': (command) => elementMessage(command, message.newElement, flag.create),
  'delete element': (command) => elementMessage(command, message.deleteElement, 0),
  'add chain': (command) => chainMessage(command, message.newChain, flag.create),
  'delete chain': (command) => chainMessage(command, message.deleteChain, 0),
  'flush chain': ({ table, name, rest }) =>
    rest === ''
      ? {
          type: message.deleteRule,
          flags: 0,
          attributes: [text(ruleAttribute.table, table), text(ruleAttribute.chain, name)],
        }
      : undefined,
  'add rule': ({ table, name, rest, family: word }, family) => {
    const expressions = ruleExpressions(rest, family, word === 'ip6');
    return (
      expressions && {
        type: message.newRule,
        flags: flag.create | flag.append,
        attributes: [
          text(ruleAttribute.table, table),
          text(ruleAttribute.chain, name),
          nested(ruleAttribute.expressions, ...expressions),
        ],
      }
    );
  },
};

function encodeCommand(line: string): Message | undefined {
  const {
    verb = '',
    kind = '',
    family = '',
    table = '',
    name = '',
    rest = '',
  } = form.exec(line)?.groups ?? {};
  const number = families[family];
  if (number === undefined) return undefined;
  const encoded = encoders[`${verb} ${kind}`]?.({ verb, family, table, name, rest }, number);
  return encoded && { ...encoded, flags: encoded.flags | flag.request, family: number };
}

function elementMessage({ table, name, rest }: Command, type: number, flags: number) {
  const [, list] = /^\{ (.+) \}$/.exec(rest) ?? [];
  const all = list === undefined ? undefined : elementAttributes(list);
  if (all === undefined) return undefined;
  const attributes = [text(elements.table, table), text(elements.set, name), nested(elements.list, ...all)];
  return { type, flags, attributes };
}

function chainMessage({ table, name, rest }: Command, type: number, flags: number) {
  // Chains on a hook of the kernel are not supported.
  if (rest !== '') return undefined;
  return { type, flags, attributes: [text(chainAttribute.table, table), text(chainAttribute.name, name)] };
}

function frame({ type, flags, family, attributes }: Message, sequence: number): Uint8Array {
  const body = joined(attributes);
  const bytes = new Uint8Array(headLength + familyHeadLength + aligned(body.length));
  const view = new DataView(bytes.buffer);
  view.setUint32(0, bytes.length, true);
  view.setUint16(4, type, true);
  view.setUint16(6, flags, true);
  view.setUint32(8, sequence, true);
  view.setUint8(headLength, family);
  if (type === batch.begin || type === batch.end) view.setUint16(headLength + 2, subsystem);
  bytes.set(body, headLength + familyHeadLength);
  return bytes;
}
