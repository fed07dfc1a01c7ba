/** Rules that direct packets to endpoints, from text to the kernel's expressions. */
import { attribute, nested, number, text } from './attributes.ts';
import { addressBytes, portBytes, protocolNumbers } from './operands.ts';

/** nf_tables.h */
const listElement = 1;
const expression = { name: 1, data: 2 } as const;
const dataValue = 1;
const meta = { register: 1, key: 2, l4proto: 16 } as const;
const compare = { register: 1, operator: 2, data: 3, equal: 0 } as const;
const immediate = { register: 1, data: 2 } as const;
const numgen = { register: 1, modulus: 2, type: 3, offset: 4, random: 1 } as const;
const lookup = { set: 1, source: 2, target: 3 } as const;
const nat = { type: 1, family: 2, address: 3, port: 5, flags: 7, dnat: 1, portIsGiven: 2 } as const;
/** Registers of 16 bytes; the ninth is the second word of the first. */
const register = { first: 1, second: 2, secondWord: 9 } as const;

const toOne = /^meta l4proto (\w+) dnat to \[?([0-9a-f.:]+?)\]?:(\d+)$/;
const toMap =
  /^meta l4proto (\w+) dnat ip6? addr \. port to numgen random mod (\d+) offset (\d+) map @([\w-]+)$/;

/** Undefined for rules that only nft supports. */
export function ruleExpressions(rule: string, family: number, isIpv6: boolean): Uint8Array[] | undefined {
  const one = toOne.exec(rule);
  if (one !== null) {
    const [, protocol = '', address = '', port = ''] = one;
    const bytes = { address: addressBytes(address), port: portBytes(port) };
    if (bytes.address === undefined || bytes.port === undefined) return undefined;
    const flags = number(nat.flags, nat.portIsGiven);
    return ofProtocol(protocol, [
      load(register.first, bytes.address),
      load(register.second, bytes.port),
      translate(family, register.second, flags),
    ]);
  }
  const [, protocol = '', modulus = '', offset = '', map = ''] = toMap.exec(rule) ?? [];
  if (map === '') return undefined;
  const portRegister = isIpv6 ? register.second : register.secondWord;
  return ofProtocol(protocol, [
    named(
      'numgen',
      number(numgen.register, register.first),
      number(numgen.modulus, Number(modulus)),
      number(numgen.type, numgen.random),
      number(numgen.offset, Number(offset)),
    ),
    named(
      'lookup',
      text(lookup.set, map),
      number(lookup.source, register.first),
      number(lookup.target, register.first),
    ),
    translate(family, portRegister),
  ]);
}

function ofProtocol(name: string, then: readonly Uint8Array[]): Uint8Array[] | undefined {
  const protocol = protocolNumbers[name];
  if (protocol === undefined) return undefined;
  return [
    named('meta', number(meta.key, meta.l4proto), number(meta.register, register.first)),
    named(
      'cmp',
      number(compare.register, register.first),
      number(compare.operator, compare.equal),
      nested(compare.data, attribute(dataValue, Uint8Array.of(protocol))),
    ),
    ...then,
  ];
}

const load = (target: number, bytes: Uint8Array): Uint8Array =>
  named('immediate', number(immediate.register, target), nested(immediate.data, attribute(dataValue, bytes)));

const translate = (family: number, portRegister: number, ...more: readonly Uint8Array[]): Uint8Array =>
  named(
    'nat',
    number(nat.type, nat.dnat),
    number(nat.family, family),
    number(nat.address, register.first),
    number(nat.port, portRegister),
    ...more,
  );

const named = (name: string, ...attributes: readonly Uint8Array[]): Uint8Array =>
  nested(listElement, text(expression.name, name), nested(expression.data, ...attributes));
